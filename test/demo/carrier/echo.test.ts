import { describe, expect, it, onTestFinished } from 'vitest';
import { RTCPeerConnection, RTCRtpCodecParameters, RtpHeader, RtpPacket } from 'werift';
import { octaveHigher, weriftMedia } from '../../../src/demo/carrier/media.ts';
import { slowness } from '../../support/time/pace.ts';
import { ada, CarrierRoom, inDialog } from './carrierRoom.ts';

/** 20 ms of G.711, as a telephone sends it. */
const frameBytes = 160;
const pcmu = new RTCRtpCodecParameters({ mimeType: 'audio/PCMU', clockRate: 8_000, channels: 1, payloadType: 0 });
const tones = new RTCRtpCodecParameters({
  mimeType: 'audio/telephone-event',
  clockRate: 8_000,
  channels: 1,
  payloadType: 101,
});

describe('the audio of the echo carrier', () => {
  it('comes back as it was sent: not the tones that are dialed, not while the call is held', async () => {
    const openMedia = weriftMedia();
    if (openMedia === null) throw new Error('werift is installed where the tests run');
    const room = await CarrierRoom.open({ openMedia });
    const telephone = await room.registered();
    const { speaker, answer, call } = await insist(async () => {
      const speaker = createSpeaker();
      const invite = telephone.say('INVITE', { body: await speaker.offer() });
      await telephone.answer(invite.branch, (status) => status === 180);
      await room.clock.advance(1_000);
      const answer = await telephone.answer(invite.branch, (status) => status >= 200);
      expect(answer.status).toBe(200);
      const call = { invite, to: answer.to.text, toTag: answer.to.tag ?? '' };
      room.acknowledge(telephone, call);
      await speaker.accept(answer.body);
      if (await speaker.isHeard('hello')) return { speaker, answer, call };
      await telephone.ask('BYE', inDialog(call));
      return null;
    });
    // One address, which nobody but this machine reaches.
    const candidates = answer.body.split('\r\n').filter((line) => line.startsWith('a=candidate:'));
    expect(candidates.map((line) => line.split(' ')[4])).toEqual(['127.0.0.1']);

    await speaker.send('dialed', tones);
    expect(await speaker.isHeard('after the tone')).toBe(true);
    expect(speaker.heard).not.toContain('dialed');

    const held = await telephone.ask('INVITE', { ...inDialog(call), body: await speaker.offer('sendonly') });
    expect([held.status, directionOf(held.body)]).toEqual([200, 'recvonly']);
    await speaker.accept(held.body);
    await speaker.send('while held');
    // What was sent on the same machine before a question has arrived before its answer.
    await telephone.ask('OPTIONS', inDialog(call));
    const resumed = await telephone.ask('INVITE', { ...inDialog(call), body: await speaker.offer('sendrecv') });
    expect([resumed.status, directionOf(resumed.body)]).toEqual([200, 'sendrecv']);
    await speaker.accept(resumed.body);
    expect(await speaker.isHeard('resumed')).toBe(true);
    expect(speaker.heard).not.toContain('while held');

    expect((await telephone.ask('BYE', inDialog(call))).status).toBe(200);
    expect(room.problems).toEqual([]);
  });

  it('comes back to an agent who was called, too', async () => {
    const openMedia = weriftMedia();
    const room = await CarrierRoom.open(openMedia === null ? {} : { openMedia });
    const telephone = await room.registered();
    await insist(async () => {
      const ringing = room.carrier.ring(ada, { from: '+15551230001', name: null });
      const invite = await telephone.newRequest('INVITE');
      const speaker = createSpeaker();
      telephone.reply(invite, 200, 'OK', await speaker.answer(invite.body));
      expect(await ringing.result).toBe('answered');
      if (await speaker.isHeard('hello')) return true;
      const { uri, callId } = invite;
      await telephone.ask('BYE', { uri, callId, from: `${invite.to.text};tag=page`, to: invite.from.text });
      return null;
    });
  });

  it('is refused, with nothing broken, for offers that look like one', async () => {
    const openMedia = weriftMedia();
    if (openMedia === null) throw new Error('werift is installed where the tests run');
    const sound = await createSpeaker().offer();
    const lines = sound.split('\r\n');
    for (let index = 0; index < lines.length; index += 1) {
      const media = await openMedia();
      const broken = lines
        .map((line, at) => (at === index ? line.slice(0, Math.ceil(line.length / 2)) : line))
        .join('\r\n');
      const outcome = await media.answer(broken).then(
        (sdp) => typeof sdp,
        (error: unknown) => (error instanceof Error ? 'refused' : 'odd'),
      );
      expect(['string', 'refused']).toContain(outcome);
      media.close();
    }
  });
});

/** Each word is a packet of its own. */
function packetOf(word: string): Buffer {
  const payload = Buffer.alloc(frameBytes, 0xff);
  payload.write(word);
  return payload;
}

function directionOf(sdp: string): string | undefined {
  return /^a=(sendrecv|sendonly|recvonly|inactive)\s*$/m.exec(sdp)?.[1];
}

/**
 * Tries again what a busy machine spoils: werift, where it plays the browser, does not repeat the last message of a
 * handshake that got lost, as browsers do.
 */
async function insist<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (let count = 0; count < 5; count += 1) {
    const result = await attempt();
    if (result !== null) return result;
  }
  return expect.fail('five calls had no audio');
}

/** The other end of the audio, as a browser would be. */
function createSpeaker() {
  const peer = new RTCPeerConnection({
    codecs: { audio: [pcmu, tones] },
    iceServers: [],
    iceUseIpv6: false,
    iceInterfaceAddresses: { udp4: '127.0.0.1' },
    iceAdditionalHostAddresses: ['127.0.0.1'],
  });
  onTestFinished(() => peer.close());
  const transceiver = peer.addTransceiver('audio', { direction: 'sendrecv' });
  const heard: string[] = [];
  const watchers = new Set<() => void>();
  transceiver.onTrack.subscribe((remote) => {
    remote.onReceiveRtp.subscribe((packet) => {
      heard.push(packet.payload.toString('latin1').replace(/\u00ff+$/, ''));
      for (const look of watchers) look();
    });
  });
  let sequenceNumber = 0;

  const send = (word: string, codec = pcmu) => {
    sequenceNumber += 1;
    const header = new RtpHeader({ sequenceNumber, timestamp: sequenceNumber * frameBytes, ssrc: 1 });
    transceiver.sender.codec = codec;
    return transceiver.sender.sendRtp(new RtpPacket(header, packetOf(word)));
  };
  return {
    heard,
    send,
    async offer(direction: 'sendrecv' | 'sendonly' = 'sendrecv') {
      transceiver.setDirection(direction);
      await peer.setLocalDescription(await peer.createOffer());
      return peer.localDescription?.sdp ?? '';
    },
    async answer(sdp: string) {
      await peer.setRemoteDescription({ type: 'offer', sdp });
      await peer.setLocalDescription(await peer.createAnswer());
      return peer.localDescription?.sdp ?? '';
    },
    accept: (sdp: string) => peer.setRemoteDescription({ type: 'answer', sdp }),
    /** Says a word until it comes back; false: it does not within ten seconds of an idle machine. */
    isHeard: (word: string) =>
      new Promise<boolean>((resolve) => {
        const speaking = setInterval(() => void send(word), 20);
        const patience = setTimeout(() => end(false), 10_000 * slowness());
        const end = (isHeard: boolean) => {
          clearInterval(speaking);
          clearTimeout(patience);
          watchers.delete(look);
          resolve(isHeard);
        };
        const look = () => {
          if (heard.includes(word)) end(true);
        };
        watchers.add(look);
      }),
  };
}

it('whoever answers in the other voice is heard an octave higher: each half of a packet, twice', () => {
  expect([...octaveHigher(Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]))]).toEqual([1, 3, 5, 7, 1, 3, 5, 7]);
  expect(octaveHigher(Buffer.alloc(0))).toHaveLength(0);
});
