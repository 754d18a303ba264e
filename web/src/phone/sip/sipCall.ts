import type { EndEvent, RTCSession } from 'jssip/lib/RTCSession.js';
import type { IncomingRequest, IncomingResponse } from 'jssip/lib/SIPMessage.js';
import type { Caller, PhoneDialog, PhoneEnd, PhoneStats } from '../phone.ts';
import { endOf, type EndWish } from '../sipOutcome.ts';
import { contactOf, dialogOfOurs, dialogOfTheirs } from './dialogOf.ts';
import { hasCandidate, IceGuard } from './iceGuard.ts';
import { readStats } from './readStats.ts';
import { makeSturdy, unheardInvite } from './sturdySession.ts';

export type SipCallListener = {
  /** First, and when it changes. `hasSound`: the network's own ringing can be heard. */
  onRinging: (hasSound: boolean) => void;
  onConnected: () => void;
  /** After `setHeld`: it was done, or is as before. */
  onHeld: (isHeld: boolean) => void;
  onSound: (stream: MediaStream) => void;
  onProblem: (text: string) => void;
  onEnded: (end: PhoneEnd) => void;
};

/** What a call needs of the line that it goes over. */
export type SipCallNeeds = {
  iceServers: RTCIceServer[];
  isConnected: () => boolean;
  /** Tells the network later that the call is over. */
  oweBye: (dialog: PhoneDialog) => void;
  /** The same of an INVITE that nobody has answered yet. @param invite as it went */
  oweCancel: (invite: string) => void;
};

const unreachable = 'The telephone network cannot be reached at the moment. Try again when the telephone is ready.';
const holdRefused = 'The telephone network did not do that: the call goes on as before.';
const toneLost = 'The telephone network did not take the tone.';

/** One SIP call, from its INVITE to its end. */
export class SipCall {
  readonly #address: string;
  readonly #takesOver: boolean;
  readonly #needs: SipCallNeeds;
  #session: RTCSession | null = null;
  #listener: SipCallListener | null = null;
  #guard: IceGuard | null = null;
  #wish: EndWish | null = null;
  #dialog: PhoneDialog | null = null;
  #rings: 'not_yet' | 'silently' | 'with_sound' = 'not_yet';
  #isConnected = false;
  #isOver = false;
  #began = Date.now();

  /** @param address of the other side; @param takesOver the call of another telephone, so that nobody is called anew */
  constructor(address: string, takesOver: boolean, needs: SipCallNeeds) {
    this.#address = address;
    this.#takesOver = takesOver;
    this.#needs = needs;
  }

  get lasts(): boolean {
    return !this.#isOver;
  }
  /** Null before it is connected. */
  get dialog(): PhoneDialog | null {
    if (!this.#isConnected || this.#isOver || this.#dialog === null) return null;
    return { ...this.#dialog, isMuted: this.isMuted, isHeld: this.#isHeld };
  }
  get caller(): Caller {
    const { uri, display_name } = this.#session?.remote_identity ?? {};
    return { phoneNumber: uri?.user ?? '', displayName: display_name ?? null };
  }
  /** The INVITE while the telephone network has not said a word to it, given up or not; else null. */
  get unheardInvite(): string | null {
    return this.#session === null ? null : unheardInvite(this.#session);
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
    const isInbound = request !== null;
    if (isInbound) this.#dialog = dialogOfTheirs(request);
    makeSturdy(session, {
      onHoldRefused: () => this.#refuseHold(holdRefused),
      onToneLost: () => this.#listener?.onProblem(toneLost),
      onByeLost: () => this.#dialog !== null && this.#needs.oweBye(this.#dialog),
      onInviteLost: (invite) => !isInbound && !this.#isConnected && this.#needs.oweCancel(invite),
    });
    session.on('peerconnection', ({ peerconnection }) => this.#hear(peerconnection));
    // Of an outgoing call it was there before anybody could listen.
    const connection = session.connection as RTCPeerConnection | null;
    if (connection !== null) this.#hear(connection);
    this.#watchIce(session);
    session.on('progress', (event: { originator: string; response?: IncomingResponse | null }) => {
      if (event.originator === 'remote') this.#ring((event.response?.body ?? '') !== '');
    });
    session.on('accepted', (event: { originator: string; response?: IncomingResponse | null }) => {
      if (!isInbound && event.response != null) this.#dialog = dialogOfOurs(event.response, this.#address);
      this.#isConnected = true;
      this.#listener?.onConnected();
    });
    session.on('reinvite', ({ request: again }) => {
      const target = contactOf(again);
      if (this.#dialog !== null && target !== null) this.#dialog = { ...this.#dialog, target };
    });
    session.on('ended', (event) => this.#finish(event));
    session.on('failed', (event) => this.#finish(event));
  }

  answer(stream: MediaStream): void {
    try {
      this.#session?.answer({
        mediaStream: stream,
        mediaConstraints: { audio: true, video: false },
        pcConfig: { iceServers: this.#needs.iceServers },
      });
    } catch {
      // The browser takes no part of the settings for anything but right.
      this.#end('no_voice', 480);
    }
  }

  /** The line is gone. Nobody would tell that the caller has left; a call that is connected goes on. */
  loseLine(): void {
    if (this.#session?.direction === ('incoming' as never) && !this.#isConnected) this.#end('line_lost', 480);
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

  /** @param track what the other side hears from now on */
  replaceTrack(track: MediaStreamTrack): void {
    const sender = this.#session?.connection.getSenders().find((one) => one.track?.kind === 'audio');
    track.enabled = sender?.track?.enabled ?? true;
    sender?.replaceTrack(track).catch(() => this.#listener?.onProblem('The other microphone could not be used.'));
  }

  setHeld(isHeld: boolean): void {
    if (!this.#needs.isConnected()) return this.#refuseHold(unreachable);
    const done = () => this.#listener?.onHeld(isHeld);
    if (isHeld) this.#session?.hold({}, done);
    else this.#session?.unhold({}, done);
    // Not while the other side is about to change the call itself.
    if (this.#isHeld !== isHeld) this.#refuseHold(holdRefused);
  }

  /** As events in the voice's own stream (RFC 4733) where the other side takes such, else by INFO. */
  sendDtmf(tone: string): void {
    const sender = this.#session?.connection.getSenders().find(({ track }) => track?.kind === 'audio');
    const inStream = sender?.dtmf?.canInsertDTMF === true;
    if (!inStream && !this.#needs.isConnected()) return this.#listener?.onProblem(unreachable);
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

  get #isHeld(): boolean {
    return this.#session?.isOnHold().local === true;
  }

  #refuseHold(why: string): void {
    this.#listener?.onProblem(why);
    this.#listener?.onHeld(this.#isHeld);
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

  #watchIce(session: RTCSession): void {
    session.on('connecting', () => {
      this.#guard = new IceGuard({ onNone: () => this.#end('no_interface') });
    });
    session.on('icecandidate', ({ candidate, ready }) => this.#guard?.take(candidate, ready));
    session.on('sdp', ({ originator, sdp }) => {
      if ((originator as string) !== 'local') return;
      this.#guard?.stop();
      // Asked for new ICE in mid-call, JsSIP answers before there are candidates: the other side learns the way as it is used.
      if (!this.#isConnected && !hasCandidate(sdp)) this.#end('no_interface');
    });
  }

  /** Sound that has begun goes on, whatever is told without any. */
  #ring(hasSound: boolean): void {
    const rings = hasSound || this.#rings === 'with_sound' ? 'with_sound' : 'silently';
    if (rings === this.#rings) return;
    this.#rings = rings;
    this.#listener?.onRinging(rings === 'with_sound');
  }

  #finish({ originator, message, cause }: EndEvent): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#guard?.stop();
    // The caller has said how long they would wait, and JsSIP counts for them.
    const isExpired = cause === 'Expires';
    const by = isExpired ? 'remote' : (originator as 'local' | 'remote' | 'system');
    const told = message as (IncomingRequest & Partial<IncomingResponse>) | null;
    const reason = told?.method === 'CANCEL' && told.hasHeader('reason') ? told.getHeader('reason') : '';
    const wasUnanswered = by === 'local' && cause === 'No Answer';
    const end = endOf({
      direction: this.#session?.direction === ('incoming' as never) ? 'inbound' : 'outbound',
      wasConnected: this.#isConnected,
      wish: this.#wish ?? (wasUnanswered ? 'no_answer' : null),
      by,
      isDeliberate: cause === 'Terminated' || cause === 'Canceled' || isExpired,
      isMute: by !== 'local' && (cause === 'WebRTC Error' || cause === 'Bad Media Description'),
      code: by === 'remote' && !this.#isConnected ? (told?.status_code ?? null) : null,
      answeredElsewhere: /\bcause\s*=\s*200\b/i.test(reason),
      rangMs: Date.now() - this.#began,
      takesOver: this.#takesOver,
    });
    this.#listener?.onEnded(end);
  }
}
