import { describe, expect, it } from 'vitest';
import { ringingEnd } from '../../../../../web/src/features/calls/callWords.ts';
import { otherEndText } from '../../../../../web/src/shared/otherEnd.ts';
import { isSameCaller } from '../../../../../web/src/features/workplace/call/sameCaller.ts';
import { dialingCall } from '../../../../support/gateway/fakeGateway.ts';
import { english } from '../../../../support/web/english.ts';

type Ring = Parameters<typeof ringingEnd>[0];
const callingText = (ring: Ring) => otherEndText(english, (number) => number, ringingEnd(ring)!);
const called = (phoneNumber: string) => ({ phoneNumber, displayName: null });

describe('who calls, before the gateway has said anything of the call', () => {
  it.each([
    ['anonymous', 'Withheld number'],
    ['', 'Withheld number'],
    ['200', '200'],
    ['+15551230001', '+15551230001'],
    ['030 123456', '030 123456'],
  ])('stands on the page by what the network told: "%s"', (told, text) => {
    expect(callingText({ call: null, caller: called(told) })).toBe(text);
    const before = { ...dialingCall('before'), state: 'ended' as const };
    expect(callingText({ call: before, caller: called(told) })).toBe(text);
  });

  it('gives way to how the gateway has read it', () => {
    const call = {
      ...dialingCall('one'),
      direction: 'inbound' as const,
      state: 'ringing' as const,
      phone: '+4930123456',
    };
    expect(callingText({ call, caller: called('030123456') })).toBe('+4930123456');
  });
});

describe('a caller who rings again', () => {
  const recorded = (phone: string | null, caller: string | null) => ({ ...dialingCall('one'), phone, caller });
  const endless = 'x'.repeat(100);

  it.each([
    ['withheld', null, 'Anonymous'],
    ['withheld', null, ''],
    ['an extension', '200', ' 200 '],
    ['an endless name', endless.slice(0, 64), endless],
  ])('is the one of before: %s', (_, caller, told) => {
    expect(isSameCaller(recorded(null, caller), told)).toBe(true);
  });

  it.each([
    [null, 'front-desk'],
    ['200', '201'],
    ['200', 'anonymous'],
  ])('is another than %s: %s', (caller, told) => {
    expect(isSameCaller(recorded(null, caller), told)).toBe(false);
  });
});
