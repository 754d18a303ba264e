import type { EndEvent, RTCSession } from 'jssip/lib/RTCSession.js';
import type { IncomingRequest, IncomingResponse } from 'jssip/lib/SIPMessage.js';
import type { Caller, PhoneDialog, PhoneEnd, PhoneStats } from '../phone.ts';
import { endOf, type EndWish } from '../sipOutcome.ts';
import { hasCandidate, IceGuard } from './iceGuard.ts';
import { readStats } from './readStats.ts';

export type SipCallListener = {
  /** `hasSound`: the network's own ringing can be heard. */
  onRinging: (hasSound: boolean) => void;
  onConnected: () => void;
  onHeld: (isHeld: boolean) => void;
  onSound: (stream: MediaStream) => void;
  onEnded: (end: PhoneEnd) => void;
};

/** JsSIP tells these, and its types do not. */
type WithTags = { call_id: string; from_tag: string; to_tag: string };

/** One SIP call, from its INVITE to its end. */
export class SipCall {
  readonly #target: string;
  readonly #iceServers: RTCIceServer[];
  #session: RTCSession | null = null;
  #listener: SipCallListener | null = null;
  #guard: IceGuard | null = null;
  #wish: EndWish | null = null;
  #dialog: PhoneDialog | null = null;
  #isConnected = false;
  #isOver = false;
  #began = Date.now();

  /** @param target the SIP address of the other side */
  constructor(target: string, iceServers: RTCIceServer[]) {
    this.#target = target;
    this.#iceServers = iceServers;
  }

  get lasts(): boolean {
    return !this.#isOver;
  }
  /** Null before it is connected. */
  get dialog(): PhoneDialog | null {
    return this.#isConnected && !this.#isOver ? this.#dialog : null;
  }
  get caller(): Caller {
    const { uri, display_name } = this.#session?.remote_identity ?? {};
    return { phoneNumber: uri?.user ?? '', displayName: display_name ?? null };
  }
  get isMuted(): boolean {
    return this.#session?.isMuted().audio === true;
  }

  listen(listener: SipCallListener): void {
    this.#listener = listener;
  }

  /** @param request the INVITE of somebody who calls */
  begin(session: RTCSession, request: IncomingRequest | null): void {
    this.#session = session;
    if (request !== null) this.#dialog = this.#dialogOf(request, 'theirs');
    const isInbound = request !== null;
    session.on('peerconnection', ({ peerconnection }) => this.#hear(peerconnection));
    // Of an outgoing call it was there before anybody could listen.
    const connection = session.connection as RTCPeerConnection | null;
    if (connection !== null) this.#hear(connection);
    session.on('connecting', () => {
      this.#guard = new IceGuard({ onNone: () => this.#end('no_interface') });
    });
    session.on('icecandidate', ({ candidate, ready }) => this.#guard?.take(candidate, ready));
    session.on('sdp', ({ originator, sdp }) => {
      if ((originator as string) !== 'local') return;
      this.#guard?.stop();
      if (!hasCandidate(sdp)) this.#end('no_interface');
    });
    session.on('progress', (event: { originator: string; response?: IncomingResponse | null }) => {
      if (event.originator !== 'remote') return;
      this.#listener?.onRinging((event.response?.body ?? '') !== '');
    });
    session.on('accepted', (event: { originator: string; response?: IncomingResponse | null }) => {
      if (!isInbound && event.response != null) this.#dialog = this.#dialogOf(event.response, 'ours');
      this.#isConnected = true;
      this.#listener?.onConnected();
    });
    session.on('ended', (event) => this.#finish(event));
    session.on('failed', (event) => this.#finish(event));
  }

  answer(stream: MediaStream): void {
    this.#session?.answer({
      mediaStream: stream,
      mediaConstraints: { audio: true, video: false },
      pcConfig: { iceServers: this.#iceServers },
    });
  }

  reject(wish: 'decline' | 'decline_busy' | 'no_microphone'): void {
    this.#end(wish, wish === 'decline' ? 603 : wish === 'decline_busy' ? 486 : 480);
  }

  /** @param wish why; `no_answer` where the other side was given up */
  hangUp(wish: 'hang_up' | 'no_answer' = 'hang_up'): void {
    this.#end(wish);
  }

  setMuted(isMuted: boolean): void {
    if (isMuted) this.#session?.mute({ audio: true });
    else this.#session?.unmute({ audio: true });
  }

  setHeld(isHeld: boolean): void {
    const done = () => this.#listener?.onHeld(isHeld);
    if (isHeld) this.#session?.hold({}, done);
    else this.#session?.unhold({}, done);
  }

  /** As events in the voice's own stream (RFC 4733) where the other side takes such, else by INFO. */
  sendDtmf(tone: string): void {
    const sender = this.#session?.connection.getSenders().find(({ track }) => track?.kind === 'audio');
    const inStream = sender?.dtmf?.canInsertDTMF === true;
    this.#session?.sendDTMF(tone, { transportType: (inStream ? 'RFC2833' : 'INFO') as never });
  }

  /** Lets go of the voice without a word to the other side. */
  abandon(): void {
    this.#isOver = true;
    this.#guard?.stop();
    (this.#session?.connection as RTCPeerConnection | undefined)?.close();
  }

  async stats(): Promise<PhoneStats | null> {
    return this.#session === null || !this.#isConnected ? null : readStats(this.#session.connection);
  }

  #hear(connection: RTCPeerConnection): void {
    connection.addEventListener('track', ({ track, streams }) => {
      this.#listener?.onSound(streams[0] ?? new MediaStream([track]));
    });
  }

  #end(wish: EndWish, statusCode?: number): void {
    if (this.#isOver || this.#session === null || this.#session.isEnded()) return;
    this.#wish ??= wish;
    this.#session.terminate(statusCode === undefined ? {} : { status_code: statusCode });
  }

  #dialogOf(message: unknown, whose: 'ours' | 'theirs'): PhoneDialog {
    const { call_id, from_tag, to_tag } = message as WithTags;
    const tags = whose === 'ours' ? { localTag: from_tag, remoteTag: to_tag } : { localTag: to_tag, remoteTag: from_tag };
    return { callId: call_id, ...tags, target: this.#target };
  }

  #finish({ originator, message, cause }: EndEvent): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#guard?.stop();
    const by = originator as 'local' | 'remote' | 'system';
    const told = message as (IncomingRequest & Partial<IncomingResponse>) | null;
    const reason = told?.method === 'CANCEL' && told.hasHeader('reason') ? told.getHeader('reason') : '';
    const wasUnanswered = by === 'local' && cause === 'No Answer';
    const end = endOf({
      direction: this.#session?.direction === ('incoming' as never) ? 'inbound' : 'outbound',
      wasConnected: this.#isConnected,
      wish: this.#wish ?? (wasUnanswered ? 'no_answer' : null),
      by,
      isDeliberate: cause === 'Terminated' || cause === 'Canceled',
      code: by === 'remote' && !this.#isConnected ? (told?.status_code ?? null) : null,
      answeredElsewhere: /\bcause\s*=\s*200\b/i.test(reason),
      rangMs: Date.now() - this.#began,
    });
    this.#listener?.onEnded(end);
  }
}
