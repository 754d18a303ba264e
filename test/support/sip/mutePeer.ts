import { type Direction, directionOf, isHolding, withDirection } from '../../../web/src/lib/sip/jssip/holding.ts';

type Description = { type: 'offer' | 'answer' | 'rollback'; sdp?: string };

/** What a browser would tell of its voice, or a PBX. */
export const sdp = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'm=audio 4000 UDP/TLS/RTP/SAVPF 0',
  'c=IN IP4 127.0.0.1',
  'a=candidate:1 1 udp 1 127.0.0.1 4000 typ host',
  'a=sendrecv',
  '',
].join('\r\n');

/** The offer of a PBX that a browser takes, though no voice ever comes. */
export const browserSdp = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'm=audio 4000 UDP/TLS/RTP/SAVPF 0',
  'c=IN IP4 127.0.0.1',
  'a=rtpmap:0 PCMU/8000',
  'a=mid:0',
  'a=ice-ufrag:scripted',
  'a=ice-pwd:scripted-far-end-password',
  `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'AB').join(':')}`,
  'a=setup:actpass',
  'a=rtcp-mux',
  'a=candidate:1 1 udp 1 127.0.0.1 4000 typ host',
  'a=sendrecv',
  '',
].join('\r\n');

/** A peer connection without a voice, that negotiates as those with one. */
export class MutePeer extends EventTarget {
  readonly iceGatheringState = 'complete';
  iceConnectionState: RTCIceConnectionState = 'connected';
  signalingState = 'stable';
  localDescription: { sdp: string } | null = null;
  readonly #transceiver: { direction: Direction } = { direction: 'sendrecv' };
  #configuration: RTCConfiguration;
  #offered: Direction = 'sendrecv';

  constructor(configuration: RTCConfiguration = {}) {
    super();
    this.#configuration = configuration;
  }

  getConfiguration = () => this.#configuration;
  setConfiguration(configuration: RTCConfiguration): void {
    this.#configuration = configuration;
  }
  createOffer(): Promise<Description> {
    return Promise.resolve({ type: 'offer', sdp: withDirection(sdp, this.#transceiver.direction) });
  }
  createAnswer(): Promise<Description> {
    return Promise.resolve({
      type: 'answer',
      sdp: withDirection(sdp, answerTo(this.#offered, this.#transceiver.direction)),
    });
  }
  setLocalDescription({ type, sdp: text }: Description): Promise<void> {
    this.signalingState = type === 'offer' ? 'have-local-offer' : 'stable';
    if (text !== undefined) this.localDescription = { sdp: text };
    return Promise.resolve();
  }
  setRemoteDescription({ type, sdp: text = '' }: Description): Promise<void> {
    if (type === 'answer' && this.signalingState !== 'have-local-offer') {
      return Promise.reject(new DOMException('there is no offer', 'InvalidStateError'));
    }
    const answered = directionOf(text);
    const own = directionOf(this.localDescription?.sdp ?? sdp);
    const isTooMuch =
      type === 'answer' && ((own === 'sendonly' && isSending(answered)) || (own === 'inactive' && answered !== own));
    if (isTooMuch) return Promise.reject(new DOMException('more than was offered', 'InvalidAccessError'));
    this.signalingState = type === 'offer' ? 'have-remote-offer' : 'stable';
    this.#offered = directionOf(text);
    return Promise.resolve();
  }
  getTransceivers = () => [this.#transceiver];
  addTrack = () => undefined;
  getSenders = () => [];
  getStats = (): Promise<RTCStatsReport> => Promise.resolve(new Map());
  close(): void {
    this.signalingState = 'closed';
  }
}

function answerTo(offered: Direction, wanted: Direction): Direction {
  const sends = wanted.startsWith('send') && (offered === 'sendrecv' || offered === 'recvonly');
  const takes = !isHolding(wanted) && isSending(offered);
  if (sends) return takes ? 'sendrecv' : 'sendonly';
  return takes ? 'recvonly' : 'inactive';
}

function isSending(direction: Direction): boolean {
  return direction.startsWith('send');
}
