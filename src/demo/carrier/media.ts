import { createRequire } from 'node:module';
import type { MediaStreamTrack, RTCRtpSender, RTCRtpTransceiver, RTCSessionDescription, RtpPacket } from 'werift';

/** The audio of one call: whatever comes is sent back, unless it leads elsewhere. */
export interface Media {
  /**
   * Answers an SDP offer, the first or a later one (hold, resume).
   * @throws what cannot be understood
   */
  answer(offer: string): Promise<string>;
  /** Makes an SDP offer; the other side's answer goes to `accept`. */
  offer(): Promise<string>;
  /** @throws what cannot be understood */
  accept(answer: string): Promise<void>;
  /**
   * From now on what comes is sent by the audio of another call; null: it is sent back.
   * @param isHigh what is sent back is an octave higher, so that one answering machine is told from another
   */
  leadTo(other: Media | null, isHigh: boolean): void;
  /** Sends what came by `source`; lost where the telephone holds the call. */
  send(source: Media, packet: RtpPacket): void;
  close(): void;
}

export type OpenMedia = () => Promise<Media>;

/** Whether an SDP is about audio as browsers send it: encrypted, by ICE. */
export function isBrowserAudio(sdp: string): boolean {
  return /^m=audio \d/m.test(sdp) && /^a=ice-ufrag:\S/m.test(sdp) && /^a=fingerprint:\S/m.test(sdp);
}

/** Pages of this machine reach it, and nobody else. */
const address = '127.0.0.1';
/** RFC 3551: the payload type of PCMU, always. */
const pcmu = 0;

/** Media by the optional package werift, which is loaded with the first call; null: it is not installed. */
export function weriftMedia(): OpenMedia | null {
  try {
    createRequire(import.meta.url).resolve('werift');
  } catch {
    return null;
  }
  return openMedia;
}

async function openMedia(): Promise<Media> {
  const { RTCPeerConnection, RTCRtpCodecParameters } = await import('werift');
  const peer = new RTCPeerConnection({
    codecs: {
      audio: [
        new RTCRtpCodecParameters({ mimeType: 'audio/PCMU', clockRate: 8_000, channels: 1, payloadType: pcmu }),
        new RTCRtpCodecParameters({
          mimeType: 'audio/telephone-event',
          clockRate: 8_000,
          channels: 1,
          payloadType: 101,
        }),
      ],
    },
    iceServers: [],
    // Without it werift asks a STUN server of its own choice, and waits for it.
    iceLite: true,
    // The machine's own addresses are left out, all of them: the one below is added to none.
    iceUseIpv4: false,
    iceUseIpv6: false,
    iceInterfaceAddresses: { udp4: address },
    iceAdditionalHostAddresses: [address],
  });
  let isHeld = false;
  let sender: RTCRtpSender | null = null;
  let leadsTo: Media | null = null;
  let isHigh = false;
  let lastSource: Media | null = null;
  const heard = new Set<MediaStreamTrack>();

  function listen(transceiver: RTCRtpTransceiver): void {
    sender = transceiver.sender;
    transceiver.onTrack.subscribe((track) => {
      // A later offer tells of the same track again.
      if (heard.has(track)) return;
      heard.add(track);
      track.onReceiveRtp.subscribe((packet) => {
        // Tones that were dialed are no sound.
        if (isHeld || packet.header.payloadType !== pcmu) return;
        if (leadsTo === null && isHigh) packet.payload = octaveHigher(packet.payload);
        (leadsTo ?? media).send(media, packet);
      });
    });
  }

  /** Its one candidate is of an address that needs no asking, so it is there at once. */
  async function describe(description: Parameters<typeof peer.setLocalDescription>[0]): Promise<string> {
    await peer.setLocalDescription(description);
    if (peer.iceGatheringState !== 'complete') {
      await new Promise<void>((resolve) => {
        peer.iceGatheringStateChange.subscribe((state) => {
          if (state === 'complete') resolve();
        });
      });
    }
    return textOf(peer.localDescription);
  }

  peer.onRemoteTransceiverAdded.subscribe((transceiver) => {
    transceiver.setDirection('sendrecv');
    listen(transceiver);
  });

  const media: Media = {
    async answer(sdp) {
      await peer.setRemoteDescription({ type: 'offer', sdp });
      const answer = await describe(await peer.createAnswer());
      isHeld = /^a=(?:sendonly|inactive)\s*$/m.test(sdp);
      return answer;
    },
    async offer() {
      listen(peer.addTransceiver('audio', { direction: 'sendrecv' }));
      return describe(await peer.createOffer());
    },
    async accept(sdp) {
      await peer.setRemoteDescription({ type: 'answer', sdp });
    },
    leadTo(other, high) {
      leadsTo = other;
      isHigh = high;
    },
    send(source, packet) {
      if (isHeld || sender === null) return;
      // Numbers and times go on from those of whoever was heard before.
      if (lastSource !== null && lastSource !== source) sender.replaceRTP(packet.header);
      lastSource = source;
      // What cannot be sent is lost, as audio is.
      sender.sendRtp(packet).catch(() => {});
    },
    close() {
      // Nobody waits for it: the sockets are closed at once, the rest is farewell.
      peer.close().catch(() => {});
    },
  };
  return media;
}

/** Twice as fast, and so twice: of a packet of 20 ms each half. @param sound a byte a sample, as of PCMU */
export function octaveHigher(sound: Buffer): Buffer {
  return Buffer.from(sound.map((_, at) => sound[(2 * at) % sound.length] ?? 0));
}

function textOf(description: RTCSessionDescription | null): string {
  if (description === null) throw new Error('the peer has no description of its own');
  return description.sdp;
}
