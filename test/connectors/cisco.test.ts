import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cisco } from '../../src/connectors/cisco.ts';
import { UnreadableEvent } from '../../src/connectors/connector.ts';
import { callOf, deliveryOf, xmlOf } from './deliveries.ts';

// Synthetic: written after Finesse's developer guide.
const user = (state: string, more = '') =>
  '<Update><event>PUT</event><source>/finesse/api/User/1001</source><data><user>' +
  '<dialogs>/finesse/api/User/1001/Dialogs</dialogs><firstName>Anna</firstName><lastName>Berg</lastName>' +
  `<loginId>1001</loginId><state>${state}</state>` +
  `<stateChangeTime>2025-10-09T08:53:20.000Z</stateChangeTime>${more}</user></data></Update>`;
const anna = { id: '1001', email: null, name: 'Anna Berg' };
const told = { kind: 'agent_state', eventId: null, agent: anna, reason: null, at: Date.UTC(2025, 9, 9, 8, 53, 20) };

const dialogUpdate = readFileSync(new URL('fixtures/finesseDialog.xml', import.meta.url), 'utf8');
const call = {
  callId: '16777230',
  direction: 'inbound',
  customer: '15550100',
  dialedNumber: '6300',
  agent: { id: '1001', email: null, name: null },
} as const;
const escaped = (xml: string) => xml.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const xmpp = (item: string) =>
  '<message xmlns="jabber:client" from="pubsub.finesse.example">' +
  '<event xmlns="http://jabber.org/protocol/pubsub#event"><items node="/finesse/api/User/1001/Dialogs"><item id="1">' +
  `<notification xmlns="http://jabber.org/protocol/pubsub">${item}</notification></item></items></event></message>`;

describe('agents of Finesse', () => {
  it.each([
    ['NOT_READY', 'not_ready'],
    ['READY', 'ready'],
    ['RESERVED', 'reserved'],
    ['TALKING', 'on_call'],
    ['HOLD', 'on_call'],
    ['WORK', 'wrap_up'],
    ['WORK_READY', 'wrap_up'],
    ['LOGOUT', 'offline'],
  ])('are in the state %s', (state, expected) => {
    expect(cisco.read(xmlOf(user(state)))).toEqual([{ ...told, state: expected }]);
  });

  it('say why they are not ready', () => {
    const code =
      '<reasonCode><category>NOT_READY</category><code>12</code><label>Lunch &amp; rest</label></reasonCode>';
    expect(cisco.read(xmlOf(user('NOT_READY', code)))).toEqual([
      { ...told, state: 'not_ready', reason: 'Lunch & rest' },
    ]);
    expect(cisco.read(xmlOf(user('NOT_READY', '<reasonCodeId>12</reasonCodeId>')))).toEqual([
      { ...told, state: 'not_ready', reason: '12' },
    ]);
  });

  it('are on a call while UCCX says TALKING and the dialog is held', () => {
    const held = cisco.read(xmlOf(dialogUpdate.replaceAll('ALERTING', 'HELD')));
    expect([...held, ...cisco.read(xmlOf(user('TALKING')))]).toEqual([
      callOf('held', call),
      { ...told, state: 'on_call' },
    ]);
  });

  it('are told of in no state that is unknown, or missing', () => {
    expect(cisco.read(xmlOf(user('UNKNOWN')))).toEqual([]);
    expect(cisco.read(xmlOf(user('')))).toEqual([]);
  });
});

describe('dialogs of Finesse', () => {
  const read = (xml: string) => cisco.read(xmlOf(xml));

  it('are read alone, with a declaration, and as XMPP carries them', () => {
    const expected = [callOf('ringing', call)];
    expect(read(dialogUpdate)).toEqual(expected);
    expect(read(`\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n${dialogUpdate}`)).toEqual(expected);
    expect(read(xmpp(dialogUpdate))).toEqual(expected);
    expect(read(xmpp(escaped(dialogUpdate)))).toEqual(expected);
  });

  it('have the called number as customer where the agent called', () => {
    const outbound = dialogUpdate
      .replaceAll('ALERTING', 'INITIATED')
      .replace('ACD_IN', 'OUT')
      .replace('<toAddress>6300', '<toAddress>915550100')
      .replace('<fromAddress>15550100', '<fromAddress>1001001');
    expect(read(outbound)).toEqual([
      callOf('ringing', { ...call, direction: 'outbound', customer: '915550100', dialedNumber: null }),
    ]);
  });

  it('have no customer among agents', () => {
    expect(read(dialogUpdate.replace('ACD_IN', 'AGENT_INSIDE'))).toEqual([
      callOf('ringing', { ...call, direction: null, customer: null, dialedNumber: null }),
    ]);
  });

  it.each([
    ['BUSY', 'busy'],
    ['BAD_DESTINATION', 'failed'],
  ] as const)('fail by %s', (why, cause) => {
    expect(
      read(
        dialogUpdate.replace(
          '<state>ALERTING</state></Participant>',
          `<state>FAILED</state><stateCause>${why}</stateCause></Participant>`,
        ),
      ),
    ).toEqual([callOf('ended', { ...call, cause })]);
  });

  it('ended when they are deleted, and not when their last state began', () => {
    const gone = (state: string) =>
      dialogUpdate
        .replace('<event>POST', '<event>DELETE')
        .replace(
          '<state>ALERTING</state></Participant>',
          `<state>${state}</state><stateChangeTime>2025-10-09T08:53:20.000Z</stateChangeTime></Participant>`,
        );
    expect(read(gone('ACTIVE'))).toEqual([callOf('ended', call)]);
    expect(read(gone('DROPPED'))).toEqual([callOf('ended', call)]);
  });

  it('are dated by when the agent’s part came to be so, so that what comes late is known to be old', () => {
    const since = (state: string, second: number) =>
      read(
        dialogUpdate.replace(
          '<state>ALERTING</state></Participant>',
          `<state>${state}</state><stateChangeTime>2025-10-09T08:53:${second}.000Z</stateChangeTime></Participant>`,
        ),
      );
    const at = (second: number) => Date.UTC(2025, 9, 9, 8, 53, second);
    expect(since('HELD', 10)).toEqual([callOf('held', { ...call, at: at(10) })]);
    expect(since('ACTIVE', 20)).toEqual([
      callOf('answered', { ...call, at: at(20) }),
      callOf('resumed', { ...call, at: at(20) }),
    ]);
    expect(since('DROPPED', 30)).toEqual([callOf('ended', { ...call, at: at(30) })]);
  });

  it('do not say of two agents whose part is active', () => {
    const other =
      '<Participant><mediaAddress>1002001</mediaAddress><mediaAddressType>AGENT_DEVICE</mediaAddressType>' +
      '<state>ACTIVE</state></Participant></participants>';
    const both = dialogUpdate
      .replace('</participants>', other)
      .replace('<state>ALERTING</state>\n        <toAddress>', '<state>ACTIVE</state>\n        <toAddress>');
    expect(both).not.toBe(dialogUpdate);
    expect(read(both)).toEqual([]);
  });

  it('are of nobody known where the source is the dialog', () => {
    const ofDialog = dialogUpdate.replace('/finesse/api/User/1001/Dialogs', '/finesse/api/Dialog/16777230');
    expect(read(ofDialog)).toEqual([callOf('ringing', { ...call, agent: null })]);
  });

  it('are none of other media', () => {
    expect(read(dialogUpdate.replace('Voice', 'Chat'))).toEqual([]);
  });

  it('keep what is escaped as text', () => {
    expect(read(dialogUpdate.replace('<id>16777230', '<id>a&#60;b&amp;c'))).toEqual([
      callOf('ringing', { ...call, callId: 'a<b&c' }),
    ]);
    expect(() => read(dialogUpdate.replace('<id>16777230', '<id>&#0;'))).toThrow(UnreadableEvent);
  });
});

it('reads a dialog’s own fields from the gadget', () => {
  const gadget = { dialog_id: '16777230', agent_id: '1001', from: '15550100', to: '6300' };
  expect(cisco.read(deliveryOf({ ...gadget, event: 'ringing', state: 'ALERTING' }))).toEqual([
    callOf('ringing', { ...call, dialedNumber: null }),
  ]);
  expect(cisco.read(deliveryOf({ ...gadget, event: 'answered', state: 'ACTIVE', call_type: 'OUT' }))).toEqual([
    callOf('answered', { ...call, direction: 'outbound', customer: '6300', dialedNumber: null }),
  ]);
  expect(cisco.read(deliveryOf({ ...gadget, event: 'ended', state: 'DROPPED' }))).toEqual([
    callOf('ended', { callId: '16777230', agent: call.agent }),
  ]);
});

it('refuses what the gadget posts without a dialog or a known event', () => {
  expect(() => cisco.read(deliveryOf({ event: 'ringing', agent_id: '1001' }))).toThrow(UnreadableEvent);
  expect(() => cisco.read(deliveryOf({ event: 'toString', dialog_id: '1' }))).toThrow(UnreadableEvent);
});
