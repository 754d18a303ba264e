import type { IncomingRequest } from 'jssip/lib/SIPMessage.js';
import { describe, expect, it } from 'vitest';
import { callerOf } from '../../../../../web/src/lib/sip/jssip/callerId.ts';

const colleague = '"Ben" <sip:1002@pbx.test>;tag=1';
const customer = { phoneNumber: '+12025550143', displayName: 'Grace' };

describe('who calls', () => {
  it.each<[string, Record<string, string[]>, object]>([
    ['From alone', { from: ['"Grace" <sip:+12025550143@pbx.test>;tag=1'] }, customer],
    [
      'From with parameters of the user',
      { from: ['"Grace" <sip:+12025550143;cpc=ordinary@pbx.test>;tag=1'] },
      customer,
    ],
    [
      'an address of SIP',
      { 'p-asserted-identity': ['"Grace" <sip:+12025550143;verstat=TN-Validation-Passed@pbx.test>'] },
      customer,
    ],
    [
      'a name and a number',
      { 'p-asserted-identity': ['"Grace" <sip:grace@pbx.test>, "Grace" <tel:+1-202-555-0143>'] },
      { ...customer, phoneNumber: '+1-202-555-0143' },
    ],
    ['two headers', { 'p-asserted-identity': ['<sip:grace@pbx.test>', '"Grace" <tel:+12025550143>'] }, customer],
    ['a number without a name', { 'p-asserted-identity': ['<tel:+12025550143>'] }, { ...customer, displayName: null }],
    [
      'a name of what was written carelessly',
      { 'p-asserted-identity': ['ACME, Inc. <sip:+12025550143@1af019b2ba08>'] },
      { ...customer, displayName: 'ACME, Inc.' },
    ],
    ['no number', { 'p-asserted-identity': ['"Grace" <sip:grace@pbx.test>'] }, { ...customer, phoneNumber: 'grace' }],
    [
      'Remote-Party-ID',
      { 'remote-party-id': ['"Grace" <sip:+12025550143@pbx.test>;party=calling;privacy=off;screen=yes'] },
      customer,
    ],
    [
      'both',
      { 'remote-party-id': ['<sip:1@pbx.test>;party=calling'], 'p-asserted-identity': ['"Grace" <tel:+12025550143>'] },
      customer,
    ],
  ])('is told by %s', (_what, headers, expected) => {
    expect(callerOf(request({ from: [colleague], ...headers }), 'ada')).toEqual(expected);
  });

  it.each<[string, Record<string, string[]>]>([
    ['that wants to be private', { 'p-asserted-identity': ['<tel:+12025550143>'], privacy: ['user;id'] }],
    ['that wants to be private altogether', { 'p-asserted-identity': ['<tel:+12025550143>'], privacy: ['full'] }],
    ['that keeps itself back', { 'remote-party-id': ['<sip:+12025550143@pbx.test>;party=calling;privacy=full'] }],
    ['that is called', { 'remote-party-id': ['<sip:+12025550143@pbx.test>;party=called'] }],
    ['of the agent', { 'p-asserted-identity': ['<sip:ada@pbx.test>'] }],
    ['of nobody', { 'p-asserted-identity': ['"Anonymous" <sip:anonymous@anonymous.invalid>'] }],
    ['that is none', { 'p-asserted-identity': ['nobody', ''] }],
  ])('is who From says, whatever is told of a side %s', (_what, headers) => {
    const from = ['"Anonymous" <sip:anonymous@anonymous.invalid>;tag=1'];
    expect(callerOf(request({ from, ...headers }), 'ada')).toEqual({ phoneNumber: 'anonymous', displayName: null });
  });

  it('is told all the same where privacy is not asked for', () => {
    expect(
      callerOf(
        request({ from: [colleague], 'p-asserted-identity': ['"Grace" <tel:+12025550143>'], privacy: ['none'] }),
        'ada',
      ),
    ).toEqual(customer);
  });
});

function request(headers: Record<string, string[]>): IncomingRequest {
  return { getHeaders: (name: string) => headers[name] ?? [] } as unknown as IncomingRequest;
}
