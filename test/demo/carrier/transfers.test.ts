import { describe, expect, it } from 'vitest';
import { headerOf, type SipRequest } from '../../../src/demo/carrier/sipMessage.ts';
import { offerSdp, type SipTelephone } from '../../support/sip/sipTelephone.ts';
import { ada, type AnsweredCall, ben, CarrierRoom, inDialog } from './carrierRoom.ts';

/** The telephone's side of a call that the carrier began. */
function dialogOf(invite: SipRequest): Pick<AnsweredCall['invite'], 'callId' | 'from' | 'to' | 'uri'> {
  return { uri: invite.uri, callId: invite.callId, from: `${invite.to.text};tag=page`, to: invite.from.text };
}

/** Ada talks to a customer, who is on hold, and has called Ben, who is rung. */
async function asking(headers: Record<string, string> = {}) {
  const room = await CarrierRoom.open();
  const [adas, bens] = [await room.registered(ada), await room.registered(ben)];
  const customer = await room.call(adas);
  await adas.ask('INVITE', { ...inDialog(customer), body: offerSdp.replace('sendrecv', 'sendonly') });
  const asked = adas.say('INVITE', {
    uri: `sip:${ben}@${adas.account.domain}`,
    from: `"Ada \\"A\\" L" <${adas.address}>;tag=second`,
    headers: { Contact: adas.contact, ...headers },
    body: offerSdp,
  });
  const ringing = await bens.request('INVITE');
  return { room, adas, bens, customer, asked, ringing };
}

/** The same, and Ben has answered. */
async function talking() {
  const parts = await asking();
  const { room, adas, bens, asked, ringing } = parts;
  bens.reply(ringing, 200, 'OK', offerSdp);
  const { to } = await adas.answer(asked.branch, (status) => status === 200);
  const second: AnsweredCall = { invite: asked, to: to.text, toTag: to.tag ?? '' };
  room.acknowledge(adas, second);
  return { ...parts, second };
}

const refer = (telephone: SipTelephone, call: AnsweredCall, to: string) =>
  telephone.ask('REFER', { ...inDialog(call), headers: { Contact: telephone.contact, 'Refer-To': `<${to}>` } });
const replaces = ({ invite, toTag }: AnsweredCall, fromTag = 'second') =>
  encodeURIComponent(`${invite.callId};to-tag=${toTag};from-tag=${fromTag}`);

/** What the carrier tells of a REFER. */
async function outcome(telephone: SipTelephone): Promise<string> {
  const notify = await telephone.request('NOTIFY');
  telephone.reply(notify, 200, 'OK');
  expect([headerOf(notify, 'content-type'), headerOf(notify, 'subscription-state')]).toEqual([
    'message/sipfrag;version=2.0',
    'terminated;reason=noresource',
  ]);
  return notify.body.trim();
}

describe('an agent who calls another agent at the echo carrier', () => {
  it('rings them, with their name and the call that it is about, and both hear each other', async () => {
    const { room, bens, ringing, adas, asked } = await asking({ 'X-Readyline-Call': 'the-call' });
    expect(ringing.from.user).toBe(ada);
    expect(ringing.from.text).toMatch(/^"Ada \\"A\\" L" </);
    expect(headerOf(ringing, 'x-readyline-call')).toBe('the-call');
    bens.reply(ringing, 200, 'OK', offerSdp);
    await adas.answer(asked.branch, (status) => status === 200);
    const [, bensMedia, adasMedia] = room.medias;
    expect([adasMedia?.leadsTo, bensMedia?.leadsTo]).toEqual([bensMedia, adasMedia]);
  });

  it.each([
    ['declines', 603, 603],
    ['is busy', 486, 486],
    ['is away', 480, 480],
  ])('is told when they do not answer: one who %s', async (_how, said, told) => {
    const { room, adas, bens, asked, ringing } = await asking();
    bens.reply(ringing, said, 'No');
    expect((await adas.answer(asked.branch, (status) => status >= 200)).status).toBe(told);
    expect(room.carrier.callCount()).toBe(1);
  });

  it('gives up: they ring no more', async () => {
    const { adas, bens, asked, ringing } = await asking();
    bens.reply(ringing, 180, 'Ringing');
    await adas.answer(asked.branch, (status) => status === 180);
    const { branch, callId, cseq, from, to, uri } = asked;
    expect((await adas.ask('CANCEL', { branch, callId, cseq, from, to, uri })).status).toBe(200);
    expect((await bens.request('CANCEL')).callId).toBe(ringing.callId);
  });

  it('ends the call of both by hanging up', async () => {
    const { room, adas, bens, second, ringing } = await talking();
    await adas.ask('BYE', { ...inDialog(second), from: second.invite.from });
    expect((await bens.request('BYE')).callId).toBe(ringing.callId);
    expect(room.carrier.callCount()).toBe(1);
  });
});

describe('a call that an agent hands on at the echo carrier', () => {
  it('goes to whom they talk to beside it, and ends for the agent', async () => {
    const { room, adas, bens, customer, second, ringing } = await talking();
    expect((await refer(adas, customer, `sip:${ben}@${adas.account.domain}?Replaces=${replaces(second)}`)).status).toBe(
      202,
    );
    expect(await outcome(adas)).toBe('SIP/2.0 200 OK');
    expect((await adas.request('BYE')).callId).toBe(second.invite.callId);
    const [, bensMedia] = room.medias;
    expect(bensMedia?.leadsTo).toBeNull();
    expect((await adas.ask('BYE', inDialog(customer))).status).toBe(200);
    expect(room.carrier.callCount()).toBe(1);
    expect((await bens.ask('BYE', dialogOf(ringing))).status).toBe(200);
    expect(room.carrier.callCount()).toBe(0);
  });

  it.each([
    ['takes it', 200, 'SIP/2.0 200 OK'],
    ['is busy', 486, 'SIP/2.0 486 Busy Here'],
    ['declines', 603, 'SIP/2.0 480 Temporarily Unavailable'],
  ])('rings another agent with the customer’s number, who %s', async (_how, said, told) => {
    const room = await CarrierRoom.open();
    const [adas, bens] = [await room.registered(ada), await room.registered(ben)];
    const customer = await room.call(adas);
    expect((await refer(adas, customer, `sip:${ben}@${adas.account.domain}`)).status).toBe(202);
    const ringing = await bens.request('INVITE');
    expect(ringing.from.user).toBe('+15551230001');
    bens.reply(ringing, said, 'So', said === 200 ? offerSdp : '');
    expect(await outcome(adas)).toBe(told);
    // It is the agent who hangs up, or goes on.
    expect((await adas.ask('OPTIONS', inDialog(customer))).status).toBe(200);
  });

  it.each([
    ['+15551230002', 'SIP/2.0 200 OK'],
    ['+15551230404', 'SIP/2.0 404 Not Found'],
  ])('goes to a number (%s)', async (number, told) => {
    const room = await CarrierRoom.open();
    const adas = await room.registered(ada);
    await refer(adas, await room.call(adas), `sip:${number}@${adas.account.domain}`);
    expect(await outcome(adas)).toBe(told);
  });

  it('goes to a number that they talk to beside it', async () => {
    const room = await CarrierRoom.open();
    const adas = await room.registered(ada);
    const customer = await room.call(adas);
    await adas.ask('INVITE', { ...inDialog(customer), body: offerSdp.replace('sendrecv', 'sendonly') });
    const second = await room.call(adas, '+15551230002');
    await refer(adas, customer, `sip:+15551230002@${adas.account.domain}?Replaces=${replaces(second, 'page')}`);
    expect(await outcome(adas)).toBe('SIP/2.0 200 OK');
    expect((await adas.request('BYE')).callId).toBe(second.invite.callId);
    expect((await adas.ask('BYE', inDialog(customer))).status).toBe(200);
    expect(room.carrier.callCount()).toBe(0);
  });

  it('stays where it is when another call than the agent’s own is named, or nobody', async () => {
    const { room, adas, bens, customer, second } = await talking();
    const others = await room.call(await room.registered('0190a000-0000-7000-8000-0000000000a3' as typeof ada));
    for (const call of [others, customer]) {
      await refer(adas, customer, `sip:${ben}@${adas.account.domain}?Replaces=${replaces(call, 'page')}`);
    }
    const told = [await adas.newRequest('NOTIFY'), await adas.newRequest('NOTIFY')];
    expect(told.map(({ body }) => body.trim())).toEqual(['SIP/2.0 481 No Such Call', 'SIP/2.0 481 No Such Call']);
    expect((await refer(adas, customer, 'tel:123')).status).toBe(400);
    expect((await adas.ask('REFER', { ...inDialog(customer), headers: { Contact: adas.contact } })).status).toBe(400);
    // All of them talk as before.
    expect((await adas.ask('OPTIONS', { ...inDialog(second), from: second.invite.from })).status).toBe(200);
    expect(bens.received.some((message) => message.kind === 'request' && message.method === 'BYE')).toBe(false);
  });
});
