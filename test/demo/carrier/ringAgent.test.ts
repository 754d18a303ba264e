import { describe, expect, it } from 'vitest';
import { headerOf } from '../../../src/demo/carrier/sipMessage.ts';
import { ada, ben, CarrierRoom, type AnsweredCall } from './carrierRoom.ts';
import { offerSdp } from '../../support/sip/sipTelephone.ts';

const caller = { from: '+15551230001', name: 'Grace "Amazing" Hopper' };

describe('a call of the echo carrier to an agent', () => {
  it('tells who calls, is answered, acknowledged and ended by the agent', async () => {
    const room = await CarrierRoom.open();
    const telephone = await room.registered();
    const ringing = room.carrier.ring(ada, caller);
    const invite = await telephone.request('INVITE');
    expect(invite.from.user).toBe('+15551230001');
    expect(invite.from.text).toMatch(/^"Grace \\"Amazing\\" Hopper" </);
    expect([invite.uri, invite.body, headerOf(invite, 'content-type')]).toEqual([
      telephone.contact.slice(1, -1),
      offerSdp,
      'application/sdp',
    ]);
    telephone.reply(invite, 180, 'Ringing');
    telephone.reply(invite, 200, 'OK', offerSdp);
    expect(await ringing.result).toBe('answered');
    expect((await telephone.request('ACK')).callId).toBe(invite.callId);
    // Nothing is left to hang up by whoever made it ring.
    ringing.cancel();
    const { uri, from, callId, to } = { ...invite, from: `${invite.to.text};tag=page`, to: invite.from.text };
    expect((await telephone.ask('BYE', { uri, from, callId, to })).status).toBe(200);
    expect(room.carrier.callCount()).toBe(0);
  });

  it.each([
    [486, 'busy'],
    [603, 'declined'],
    [408, 'no_answer'],
    [500, 'failed'],
  ])('that is answered %i is %s', async (status, result) => {
    const room = await CarrierRoom.open();
    const telephone = await room.registered();
    const ringing = room.carrier.ring(ada, caller);
    telephone.reply(await telephone.request('INVITE'), status, 'No');
    expect(await ringing.result).toBe(result);
    await telephone.request('ACK');
    expect(room.carrier.callCount()).toBe(0);
  });

  it('rings again at the page that comes after the one that was away', async () => {
    const room = await CarrierRoom.open();
    const before = await room.registered();
    const ringing = room.carrier.ring(ada, caller);
    before.reply(await before.request('INVITE'), 480, 'Temporarily Unavailable');
    await before.request('ACK');
    await room.break(before);
    const after = await room.registered();
    const invite = await after.request('INVITE');
    expect(invite.from.user).toBe(caller.from);
    after.reply(invite, 200, 'OK', offerSdp);
    expect(await ringing.result).toBe('answered');
  });

  it.each([
    ['comes back', 'no_answer', (room: CarrierRoom) => room.clock.advance(20_000)],
    ['comes before the caller gives up', 'canceled', async (_room: CarrierRoom, cancel: () => void) => cancel()],
    ['comes before the carrier ends', 'failed', async (room: CarrierRoom) => room.carrier.close()],
  ])('that finds its telephone away, and nobody %s, is %s', async (_what, result, passes) => {
    const room = await CarrierRoom.open();
    const telephone = await room.registered();
    const ringing = room.carrier.ring(ada, caller);
    telephone.reply(await telephone.request('INVITE'), 480, 'Temporarily Unavailable');
    await telephone.request('ACK');
    // What was sent before has been taken in.
    await telephone.ask('OPTIONS');
    await passes(room, () => ringing.cancel());
    expect(await ringing.result).toBe(result);
    expect(room.carrier.callCount()).toBe(0);
  });

  it('rings whom the agent passes it on to, and is over for the agent', async () => {
    const room = await CarrierRoom.open();
    const [first, second] = [await room.registered(), await room.registered(ben)];
    const ringing = room.carrier.ring(ada, caller);
    first.redirect(await first.request('INVITE'), `<sip:${ben}@${first.account.domain}>`);
    await first.request('ACK');
    const invite = await second.request('INVITE');
    expect(invite.from.user).toBe(caller.from);
    second.reply(invite, 200, 'OK', offerSdp);
    expect(await ringing.result).toBe('answered');
    expect(room.carrier.callCount()).toBe(1);
  });

  it.each([
    ['to a number, which answers', `<sip:+15551230002@carrier.test>`],
    ['to nobody that can be read', 'elsewhere'],
  ])('is passed on %s', async (_, contact) => {
    const room = await CarrierRoom.open();
    const telephone = await room.registered();
    const ringing = room.carrier.ring(ada, caller);
    telephone.redirect(await telephone.request('INVITE'), contact);
    expect(await ringing.result).toBe('passed_on');
    expect(room.carrier.callCount()).toBe(0);
  });

  it('is passed on from one to the other and back no more than five times', async () => {
    const room = await CarrierRoom.open();
    const both = [await room.registered(), await room.registered(ben)] as const;
    const ringing = room.carrier.ring(ada, caller);
    for (let asked = 0; asked <= 5; asked += 1) {
      const [at, other] = asked % 2 === 0 ? [both[0], ben] : [both[1], ada];
      at.redirect(await at.newRequest('INVITE'), `<sip:${other}@${at.account.domain}>`);
    }
    expect(await ringing.result).toBe('passed_on');
    expect(room.carrier.callCount()).toBe(0);
  });

  it.each([
    ['+15551230001', false],
    ['+15551230700', true],
  ])('of %s is heard in its own voice (an octave higher: %s)', async (from, isHigh) => {
    const room = await CarrierRoom.open();
    const telephone = await room.registered();
    const ringing = room.carrier.ring(ada, { ...caller, from });
    telephone.reply(await telephone.request('INVITE'), 200, 'OK', offerSdp);
    expect(await ringing.result).toBe('answered');
    expect(room.medias.map((media) => media.isHigh)).toEqual([isHigh]);
  });

  it('rings for twenty seconds', async () => {
    const room = await CarrierRoom.open();
    const telephone = await room.registered();
    const ringing = room.carrier.ring(ada, caller);
    const invite = await telephone.request('INVITE');
    telephone.reply(invite, 180, 'Ringing');
    await telephone.ask('OPTIONS');
    await room.clock.advance(20_000);
    const cancel = await telephone.request('CANCEL');
    expect([cancel.branch, cancel.cseq.number]).toEqual([invite.branch, invite.cseq.number]);
    telephone.reply(invite, 487, 'Request Terminated');
    expect(await ringing.result).toBe('no_answer');
  });

  it('is hung up by whoever made it ring, not before the telephone has said anything', async () => {
    const room = await CarrierRoom.open();
    const telephone = await room.registered();
    const ringing = room.carrier.ring(ada, caller);
    const invite = await telephone.request('INVITE');
    ringing.cancel();
    await telephone.ask('OPTIONS');
    expect(telephone.received.some((one) => one.kind === 'request' && one.method === 'CANCEL')).toBe(false);
    telephone.reply(invite, 180, 'Ringing');
    telephone.reply(await telephone.request('CANCEL'), 200, 'OK');
    telephone.reply(invite, 487, 'Request Terminated');
    expect(await ringing.result).toBe('canceled');
  });

  it('ends at once when the answer crosses the hanging up', async () => {
    const room = await CarrierRoom.open();
    const telephone = await room.registered();
    const ringing = room.carrier.ring(ada, caller);
    const invite = await telephone.request('INVITE');
    telephone.reply(invite, 180, 'Ringing');
    await telephone.ask('OPTIONS');
    ringing.cancel();
    telephone.reply(invite, 200, 'OK', offerSdp);
    await telephone.request('BYE');
    expect(await ringing.result).toBe('canceled');
    expect(room.carrier.callCount()).toBe(0);
  });

  it('fails when the telephone goes, answers nonsense or says nothing', async () => {
    const room = await CarrierRoom.open();
    const gone = await room.registered();
    const first = room.carrier.ring(ada, caller);
    await gone.request('INVITE');
    await room.break(gone);
    expect(await first.result).toBe('failed');

    const odd = await room.registered();
    const second = room.carrier.ring(ada, caller);
    odd.reply(await odd.newRequest('INVITE'), 200, 'OK', 'v=0');
    expect(await second.result).toBe('failed');
    await odd.request('BYE');

    const third = room.carrier.ring(ada, caller);
    await odd.newRequest('INVITE');
    await room.clock.advance(30_000);
    expect(await third.result).toBe('no_answer');
    expect(room.carrier.callCount()).toBe(0);
  });

  it('does not come about where nobody is registered, or the agent has two calls', async () => {
    const room = await CarrierRoom.open();
    expect(await room.carrier.ring(ada, caller).result).toBe('not_registered');
    const telephone = await room.registered();
    const call: AnsweredCall = await room.call(telephone);
    const second = room.carrier.ring(ada, caller);
    const invite = await telephone.request('INVITE');
    expect(await room.carrier.ring(ada, caller).result).toBe('busy');
    telephone.reply(invite, 486, 'Busy Here');
    expect(await second.result).toBe('busy');
    expect(call.toTag).not.toBe('');
  });

  it('goes to the page that registered last', async () => {
    const room = await CarrierRoom.open();
    const first = await room.registered();
    const second = await room.registered();
    const ringing = room.carrier.ring(ada, caller);
    second.reply(await second.request('INVITE'), 486, 'Busy Here');
    expect(await ringing.result).toBe('busy');
    expect(first.received.some((one) => one.kind === 'request')).toBe(false);
  });

  it('fails where there is no media', async () => {
    const room = await CarrierRoom.open({ openMedia: () => Promise.reject(new Error('no media')) });
    await room.registered();
    expect(await room.carrier.ring(ada, caller).result).toBe('failed');
    expect(room.carrier.callCount()).toBe(0);
  });
});
