import { describe, expect, it } from 'vitest';
import { headerOf } from '../../../src/demo/carrier/sipMessage.ts';
import { ada, ben, CarrierRoom, inDialog, replacesHeader } from './carrierRoom.ts';
import { offerSdp } from '../../support/sip/sipTelephone.ts';

describe('registering at the echo carrier', () => {
  it('takes an agent who knows the secret', async () => {
    const room = await CarrierRoom.open();
    expect(await (await room.telephone()).register()).toBe(200);
  });

  it('refuses a wrong secret, and another agent’s', async () => {
    const room = await CarrierRoom.open();
    expect(await (await room.telephone()).register({ secret: 'wrong' })).toBe(403);
    expect(await (await room.telephone(ada)).register({ secret: room.account(ben).secret })).toBe(403);
  });

  it('refuses credentials that were overheard on another line', async () => {
    const room = await CarrierRoom.open();
    const first = await room.telephone();
    const sent: string[] = [];
    const { sendText } = first;
    first.sendText = (text) => {
      sent.push(text);
      sendText.call(first, text);
    };
    await first.register();
    const second = await room.telephone();
    const overheard = sent.at(-1) ?? '';
    second.sendText(overheard.replace(/branch=\S+/, 'branch=z9hG4bKagain'));
    expect((await second.answer('z9hG4bKagain', () => true)).status).toBe(401);
    // Nor on the same line once more.
    first.sendText(overheard.replace(/branch=\S+/, 'branch=z9hG4bKtwice'));
    expect((await first.answer('z9hG4bKtwice', () => true)).status).toBe(401);
  });

  it('lets nobody call who is not registered, whose registration ran out or who took it back', async () => {
    const room = await CarrierRoom.open();
    const stranger = await room.telephone();
    expect((await stranger.ask('INVITE', { body: offerSdp })).status).toBe(403);
    const telephone = await room.registered();
    await room.clock.advance(600_000);
    expect((await telephone.ask('INVITE', { body: offerSdp })).status).toBe(403);
    const other = await room.registered(ben);
    expect(await other.register({ expires: 0 })).toBe(200);
    expect((await other.ask('INVITE', { body: offerSdp })).status).toBe(403);
  });

  it('lets nobody call in the name of another agent', async () => {
    const room = await CarrierRoom.open();
    await room.registered(ada);
    const telephone = await room.registered(ben);
    const from = `<sip:${ada}@${room.account().domain}>;tag=x`;
    expect((await telephone.ask('INVITE', { from, body: offerSdp })).status).toBe(403);
  });
});

describe('a call to a number at the echo carrier', () => {
  it('rings, is answered after a second and ends with the agent’s BYE', async () => {
    const room = await CarrierRoom.open();
    const telephone = await room.registered();
    const call = await room.call(telephone);
    const statuses = telephone.received.flatMap((one) =>
      one.kind === 'response' && one.branch === call.invite.branch ? [one.status] : [],
    );
    expect(statuses).toEqual([100, 180, 200]);
    expect(room.medias[0]?.offers).toEqual([offerSdp]);
    expect((await telephone.ask('BYE', inDialog(call))).status).toBe(200);
    expect(room.carrier.callCount()).toBe(0);
    expect(room.medias[0]?.isClosed).toBe(true);
  });

  it.each([
    ['+15551230486', 486],
    ['+15551230603', 603],
    ['+15551230404', 404],
  ])('to %s ends with %i', async (number, status) => {
    const room = await CarrierRoom.open();
    const telephone = await room.registered();
    expect((await telephone.ask('INVITE', { uri: `sip:${number}@demo.invalid`, body: offerSdp })).status).toBe(status);
    expect(room.carrier.callCount()).toBe(0);
  });

  it('rings for ever at a number that ends in 408, until it is canceled', async () => {
    const room = await CarrierRoom.open();
    const telephone = await room.registered();
    const invite = telephone.say('INVITE', { uri: 'sip:+15551230408@demo.invalid', body: offerSdp });
    await telephone.answer(invite.branch, (status) => status === 180);
    await room.clock.leap(500_000);
    const { callId, cseq, branch, uri } = invite;
    const canceled = telephone.say('CANCEL', { callId, cseq, branch, uri });
    expect((await telephone.answer(canceled.branch, (status) => status === 487)).cseq.method).toBe('INVITE');
    expect(
      telephone.received.some((one) => one.kind === 'response' && one.status === 200 && one.cseq.method === 'CANCEL'),
    ).toBe(true);
    expect(room.carrier.callCount()).toBe(0);
  });

  it('knows nothing to cancel once it is answered', async () => {
    const room = await CarrierRoom.open();
    const telephone = await room.registered();
    const { invite } = await room.call(telephone);
    const { callId, cseq, branch } = invite;
    telephone.say('CANCEL', { callId, cseq, branch });
    expect((await telephone.answer(branch, (status) => status === 481)).cseq.method).toBe('CANCEL');
    expect(room.carrier.callCount()).toBe(1);
  });

  it('is hung up by a number that ends in 002, two seconds after it answered', async () => {
    const room = await CarrierRoom.open();
    const telephone = await room.registered();
    const { invite } = await room.call(telephone, '+15551230002');
    expect(room.carrier.callCount()).toBe(1);
    await room.clock.advance(2_000);
    expect((await telephone.request('BYE')).callId).toBe(invite.callId);
    expect(room.carrier.callCount()).toBe(0);
  });

  it('is held and resumed, one offer at a time', async () => {
    const room = await CarrierRoom.open();
    const telephone = await room.registered();
    const call = await room.call(telephone);
    const held = offerSdp.replace('sendrecv', 'sendonly');
    expect((await telephone.ask('INVITE', { ...inDialog(call), body: held })).status).toBe(200);
    expect((await telephone.ask('INVITE', { ...inDialog(call), body: offerSdp })).status).toBe(200);
    expect(room.medias).toHaveLength(1);
    expect(room.medias[0]?.offers).toEqual([offerSdp, held, offerSdp]);
  });

  it('takes tones, questions whether it lasts and updates; nothing that it cannot serve', async () => {
    const room = await CarrierRoom.open();
    const telephone = await room.registered();
    const call = await room.call(telephone);
    for (const method of ['INFO', 'OPTIONS', 'UPDATE']) {
      expect((await telephone.ask(method, { ...inDialog(call) })).status).toBe(200);
    }
    expect((await telephone.ask('SUBSCRIBE', inDialog(call))).status).toBe(405);
    expect((await telephone.ask('INVITE', { ...inDialog(call), body: 'v=0' })).status).toBe(488);
    expect((await telephone.ask('BYE', { ...inDialog(call), cseq: 1 })).status).toBe(500);
    expect(room.carrier.callCount()).toBe(1);
  });

  it('is refused where the offer is none or cannot be answered', async () => {
    const room = await CarrierRoom.open();
    const telephone = await room.registered();
    for (const body of ['', 'v=0', `${offerSdp}a=nonsense\r\n`]) {
      const invite = telephone.say('INVITE', { body });
      await telephone.answer(invite.branch, (status) => status === 180);
      await room.clock.advance(1_000);
      expect((await telephone.answer(invite.branch, (status) => status >= 300)).status).toBe(488);
    }
    expect(room.carrier.callCount()).toBe(0);
    expect(room.medias.every((media) => media.isClosed)).toBe(true);
  });

  it('ends when the answer is never acknowledged', async () => {
    const room = await CarrierRoom.open();
    const telephone = await room.registered();
    const invite = telephone.say('INVITE', { body: offerSdp });
    await telephone.answer(invite.branch, (status) => status === 180);
    await room.clock.advance(1_000);
    await telephone.answer(invite.branch, (status) => status === 200);
    await room.clock.advance(10_000);
    await telephone.request('BYE');
    expect(room.carrier.callCount()).toBe(0);
  });

  it('is the agent’s only one', async () => {
    const room = await CarrierRoom.open();
    const telephone = await room.registered();
    await room.call(telephone);
    const second = await telephone.ask('INVITE', { body: offerSdp });
    expect([second.status, second.reason]).toEqual([403, 'One Call at a Time']);
    expect(room.carrier.callCount()).toBe(1);
  });

  it('is one of two where the other one is on hold, and no third', async () => {
    const room = await CarrierRoom.open();
    const telephone = await room.registered();
    const first = await room.call(telephone);
    const held = await telephone.ask('INVITE', { ...inDialog(first), body: offerSdp.replace('sendrecv', 'sendonly') });
    expect(held.status).toBe(200);
    await room.call(telephone);
    expect(room.carrier.callCount()).toBe(2);
    expect((await telephone.ask('INVITE', { body: offerSdp })).status).toBe(403);
    expect((await telephone.ask('BYE', inDialog(first))).status).toBe(200);
    expect(room.carrier.callCount()).toBe(1);
  });

  it('is refused where the carrier has as many as it takes', async () => {
    const room = await CarrierRoom.open({ maxCalls: 1 });
    await room.call(await room.registered(ada));
    expect((await (await room.registered(ben)).ask('INVITE', { body: offerSdp })).status).toBe(503);
  });

  it('is unknown to whoever names another one', async () => {
    const room = await CarrierRoom.open();
    const telephone = await room.registered();
    const call = await room.call(telephone);
    expect((await telephone.ask('BYE', { ...inDialog(call), callId: 'another' })).status).toBe(481);
    expect((await telephone.ask('BYE', { ...inDialog(call), to: '<sip:x@demo.invalid>;tag=wrong' })).status).toBe(481);
    const stranger = await room.registered(ben);
    expect((await stranger.ask('BYE', inDialog(call))).status).toBe(403);
    expect(room.carrier.callCount()).toBe(1);
  });
});

describe('a call whose page is gone', () => {
  it('is taken over by the page that comes after a reload, and answered at once', async () => {
    const room = await CarrierRoom.open();
    const before = await room.registered();
    const call = await room.call(before);
    await room.break(before);
    expect(room.carrier.callCount()).toBe(1);

    const after = await room.registered();
    const from = `<${after.address}>;tag=after`;
    const invite = after.say('INVITE', {
      from,
      body: offerSdp,
      headers: { Contact: after.contact, Replaces: replacesHeader(call) },
    });
    const answer = await after.answer(invite.branch, (status) => status >= 180);
    expect([answer.status, headerOf(answer, 'supported')]).toEqual([200, 'replaces']);
    expect(room.carrier.callCount()).toBe(1);
    expect(room.medias.map((media) => media.isClosed)).toEqual([true, false]);

    room.acknowledge(after, { invite, to: answer.to.text, toTag: answer.to.tag ?? '' });
    // It is the new page's, and outlasts what was kept for the old one.
    await after.ask('OPTIONS', { callId: invite.callId, to: answer.to.text, from });
    await room.clock.advance(60_000);
    expect(room.carrier.callCount()).toBe(1);
  });

  it('is taken over from a page that is still there, which is told so', async () => {
    const room = await CarrierRoom.open();
    const first = await room.registered();
    const call = await room.call(first);
    const second = await room.registered();
    const from = `<${second.address}>;tag=second`;
    const headers = { Contact: second.contact, Replaces: replacesHeader(call) };
    expect((await second.ask('INVITE', { from, body: offerSdp, headers })).status).toBe(200);
    expect((await first.request('BYE')).callId).toBe(call.invite.callId);
    expect(room.carrier.callCount()).toBe(1);
  });

  it('is not given to another agent, nor twice, nor where there is none', async () => {
    const room = await CarrierRoom.open();
    const call = await room.call(await room.registered(ada));
    const stranger = await room.registered(ben);
    const take = (Replaces: string) =>
      stranger.ask('INVITE', { body: offerSdp, headers: { Contact: stranger.contact, Replaces } });
    for (const names of [replacesHeader(call), 'unknown;to-tag=1;from-tag=2', ';;=', '']) {
      expect((await take(names)).status).toBe(481);
    }
    expect(room.carrier.callCount()).toBe(1);
  });

  it('is kept for fifteen seconds, and dropped then', async () => {
    const room = await CarrierRoom.open();
    const before = await room.registered();
    const call = await room.call(before);
    await room.break(before);
    await room.clock.advance(14_999);
    expect(room.carrier.callCount()).toBe(1);
    await room.clock.advance(1);
    expect(room.carrier.callCount()).toBe(0);
    const after = await room.registered();
    const headers = { Contact: after.contact, Replaces: replacesHeader(call) };
    expect((await after.ask('INVITE', { body: offerSdp, headers })).status).toBe(481);
  });

  it('goes on when the same page has its line back', async () => {
    const room = await CarrierRoom.open();
    const before = await room.registered(ada, 'samepage');
    const call = await room.call(before);
    await room.break(before);
    const after = await room.registered(ada, 'samepage');
    await room.clock.advance(60_000);
    expect(room.carrier.callCount()).toBe(1);
    expect((await after.ask('BYE', { ...inDialog(call), cseq: 50 })).status).toBe(200);
    expect(room.carrier.callCount()).toBe(0);
  });

  it('gives way to a new call of the page that did not come back for it', async () => {
    const room = await CarrierRoom.open();
    const before = await room.registered();
    await room.call(before);
    await room.break(before);
    await room.call(await room.registered());
    expect(room.carrier.callCount()).toBe(1);
  });

  it('is not kept while it rings', async () => {
    const room = await CarrierRoom.open();
    const telephone = await room.registered();
    const invite = telephone.say('INVITE', { uri: 'sip:+15551230408@demo.invalid', body: offerSdp });
    await telephone.answer(invite.branch, (status) => status === 180);
    await room.break(telephone);
    expect(room.carrier.callCount()).toBe(0);
  });
});
