import type { EndEvent, RTCSession } from 'jssip/lib/RTCSession.js';
import type { IncomingRequest, IncomingResponse } from 'jssip/lib/SIPMessage.js';
import type { TransferCode } from '../../../../../src/contract/telephony.ts';
import type { IceServers } from '../iceServers.ts';
import type { Caller, CallMedia, PhoneCallEvent, PhoneDialog, PhoneProblem } from '../phoneCall.ts';
import { endingOf, type RequestedEnd } from '../sipOutcome.ts';
import { callerOf, isNumber, type NamedCaller } from './callerId.ts';
import { dialedNumberOf, queueOf } from './dialedNumber.ts';
import { guardRequests } from './dialogGuard.ts';
import { contactOf, dialogOfOurs, dialogOfTheirs } from './sipDialogs.ts';
import { HandingOn } from './handingOn.ts';
import { Holding } from './holding.ts';
import { hasCandidate, IceGuard } from './iceGuard.ts';
import { type IncomingRequestInside, insideOf } from './jssipInside.ts';
import { dialAgainForLonger, keepThroughLosses, unheardInvite } from './jssipPatches.ts';
import { hearLaterCallers } from './laterCaller.ts';
import { Redirects } from './redirects.ts';
import type { Referral } from './referral.ts';
import { Reoffers } from './reoffers.ts';
import { SessionTimer } from './sessionTimer.ts';
import { Tones } from './tones.ts';
import { VoiceWatch } from './voiceWatch.ts';

/** What happens to a SIP call. */
export type SipCallEvent = Exclude<PhoneCallEvent, { type: 'placed' | 'muted' | 'moved' }>;

export type SipCallListener = {
  onEvent: (event: SipCallEvent) => void;
  onSound: (stream: MediaStream) => void;
  onProblem: (problem: PhoneProblem) => void;
  /** The other side wants the call to go on with somebody else: it waits for an answer. */
  onReferred: (referral: Referral) => void;
  /** The telephone network puts that call in the place of this one: it waits for an answer. */
  onReplaced: (call: SipCall) => void;
};

/** What a call needs of the line that it goes over. */
export type SipCallNeeds = {
  servers: IceServers;
  /** That calls may be moved to; a call's own are allowed besides. */
  hosts: ReadonlySet<string>;
  /** Of a number there. */
  addressOf: (number: string) => string;
  /** The user of the account. */
  ownUser: string;
  /** In which the network tells the number that a customer called, before the standard headers; null: none. */
  dialedNumberHeader: string | null;
  /** In which it tells where they waited; null: in none. */
  queueHeader: string | null;
  /** What it is asked for to hand a call on. */
  transfer: TransferCode;
  isConnected: () => boolean;
  /** Takes in the call of an INVITE that is for another call's place; null: it was refused. */
  takeIn: (session: RTCSession, request: IncomingRequestInside) => SipCall | null;
  /** It may be dead: finds out, and opens another one then. */
  checkLine: () => void;
  /** Something was sent that is answered at once, if the line is not dead. */
  expectAnswer: () => void;
  /** Tells the network later that the call is over. */
  byeLost: (dialog: PhoneDialog) => void;
  /** The same of an INVITE that nobody has answered yet. @param invite as it went */
  inviteLost: (invite: string) => void;
};

/** In the INVITE to a colleague: which call of theirs that is, by the gateway's id. */
export const forCallHeader = 'X-Readyline-Call';

/** One SIP call, from its INVITE to its end. */
export class SipCall {
  readonly #address: string;
  readonly #takesOver: boolean;
  readonly #needs: SipCallNeeds;
  readonly #tones: Tones;
  readonly #handingOn: HandingOn;
  #session: RTCSession | null = null;
  #listener: SipCallListener | null = null;
  #holding: Holding | null = null;
  #voice: VoiceWatch | null = null;
  #guard: IceGuard | null = null;
  #timer: SessionTimer | null = null;
  #redirects: Redirects | null = null;
  #requestedEnd: RequestedEnd | null = null;
  /** Whom the network was told to ring instead. */
  #passedTo: string | null = null;
  #dialog: PhoneDialog | null = null;
  #rings: 'not_yet' | 'silently' | 'with_sound' = 'not_yet';
  #caller: NamedCaller = { phoneNumber: '', displayName: null };
  #forCall: string | undefined;
  #dialedNumber: string | null = null;
  #queue: string | null = null;
  #isConnected = false;
  #isOver = false;
  #isHangingUp = false;
  #began = Date.now();

  /** @param address of the other side; @param takesOver the call of another telephone, so that nobody is called anew */
  constructor(address: string, takesOver: boolean, needs: SipCallNeeds) {
    this.#address = address;
    this.#takesOver = takesOver;
    this.#needs = needs;
    const session = () => this.#session;
    const onProblem = (problem: PhoneProblem) => this.#listener?.onProblem(problem);
    const onUnreachable = () => onProblem({ code: 'network_unreachable' });
    this.#tones = new Tones({ session, isConnected: needs.isConnected, onUnreachable });
    this.#handingOn = new HandingOn({
      session,
      tones: this.#tones,
      code: needs.transfer,
      onProblem: (problem) => !this.#isOver && onProblem(problem),
      onChange: (isTransferring) => !this.#isOver && this.#tellMedia({ isTransferring }),
      // After the answer to who has told it.
      onDone: () => queueMicrotask(() => this.#end('hang_up')),
    });
  }

  get lasts(): boolean {
    return !this.#isOver;
  }
  /** Null before it is connected. */
  get dialog(): PhoneDialog | null {
    if (!this.#isConnected || this.#isOver || this.#dialog === null) return null;
    const { agreedTo } = this.#handingOn;
    const handedOn = agreedTo === null ? {} : { transferTo: agreedTo };
    return { ...this.#dialog, isMuted: this.isMuted, isHeld: this.isHeld, ...handedOn };
  }
  get caller(): Caller {
    return this.#forCall === undefined ? this.#caller : { ...this.#caller, forCall: this.#forCall };
  }
  /** The same, with what is told of the INVITE. */
  get ring(): Caller {
    const dialed = this.#dialedNumber === null ? {} : { dialedNumber: this.#dialedNumber };
    const queue = this.#queue === null ? {} : { queue: this.#queue };
    return { ...this.caller, sipCallId: this.sipCallId, ...dialed, ...queue };
  }
  /** The Call-ID of its INVITE, once that is made (RFC 3261, 8.1.1.4). */
  get sipCallId(): string {
    return this.#session === null ? '' : insideOf(this.#session)._request.call_id;
  }
  /** Null: no number says who calls. */
  get callerByNumber(): Caller | null {
    return isNumber(this.#caller.phoneNumber) ? this.caller : null;
  }
  /** The INVITE while the telephone network has not said a word to it, given up or not; else null. */
  get unheardInvite(): string | null {
    return this.#session === null ? null : unheardInvite(this.#session);
  }
  /** Whether it was answered once, be it over or not. */
  get wasConnected(): boolean {
    return this.#isConnected;
  }
  get isInbound(): boolean {
    return this.#session?.direction === ('incoming' as never);
  }
  get isHeldByOther(): boolean {
    return this.#holding?.isOther === true;
  }
  get isHeld(): boolean {
    return this.#holding?.isOwn === true;
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
    if (isInbound) {
      this.#dialog = dialogOfTheirs(request);
      this.#caller = callerOf(request, String(session.local_identity.uri.user));
      this.#forCall = request.getHeader(forCallHeader) ?? undefined;
      this.#dialedNumber = dialedNumberOf(request, this.#needs.ownUser, this.#needs.dialedNumberHeader);
      this.#queue = queueOf(request, this.#needs.queueHeader);
    }
    guardRequests(session, this.#needs.hosts, {
      onReferral: (referral) => (this.#listener === null ? referral.refuse(603) : this.#listener.onReferred(referral)),
      onReplacement: (invite) => {
        const call = this.#needs.takeIn(session, invite);
        if (call !== null) this.#listener?.onReplaced(call);
      },
    });
    hearLaterCallers(session, String(session.local_identity.uri.user), (caller) => this.#nameCaller(caller));
    const reoffers: Reoffers = new Reoffers(session, {
      headers: () => timer.headers,
      onAccepted: (response) => {
        timer.accepted(response);
        this.#moveTarget(contactOf(response));
      },
    });
    const timer = new SessionTimer(session, reoffers, {
      isConnected: this.#needs.isConnected,
      checkLine: this.#needs.checkLine,
      onLost: () => session.terminate({ status_code: 408, reason_phrase: 'Session Timer Expired' }),
    });
    this.#timer = timer;
    dialAgainForLonger(session);
    // The call of another telephone is there, or nowhere.
    if (!isInbound && !this.#takesOver) this.#redirects = new Redirects(session, this.#needs);
    this.#holding = new Holding(session, reoffers, {
      onOwn: (isHeld, isRefused) =>
        isRefused ? this.#refuseHold('hold_refused') : this.#tell({ type: 'held', isHeld }),
      onOther: (isHeld) => this.#tellMedia({ isHeldByOther: isHeld }),
    });
    keepThroughLosses(session, {
      onToneLost: () => {
        this.#tones.forget();
        this.#listener?.onProblem({ code: 'tone_lost' });
      },
      onByeLost: () => this.#dialog !== null && this.#needs.byeLost(this.#dialog),
      onInviteLost: (invite) => !isInbound && !this.#isConnected && this.#needs.inviteLost(invite),
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
      if (!isInbound && event.response != null)
        this.#dialog = dialogOfOurs(event.response, this.#redirects?.target ?? this.#address);
      this.#isConnected = true;
      this.#tell({ type: 'connected' });
      this.#voice = this.#watchVoice(session.connection, reoffers);
    });
    session.on('reinvite', ({ request: again }) => this.#moveTarget(contactOf(again)));
    session.on('update', ({ request: again }) => this.#moveTarget(contactOf(again)));
    session.on('ended', (event) => this.#finish(event));
    session.on('failed', (event) => this.#finish(event));
  }

  answer(stream: MediaStream): void {
    try {
      this.#session?.answer({
        mediaStream: stream,
        mediaConstraints: { audio: true, video: false },
        pcConfig: { iceServers: this.#needs.servers.current },
      });
    } catch {
      // The browser takes no part of the settings for anything but right.
      this.#end('no_voice', 480);
    }
  }

  /** The line is there again. */
  regainLine(): void {
    this.#voice?.lineIsBack();
  }

  /** The line is gone. Nobody would tell that the caller has left; a call that is connected goes on. */
  loseLine(): void {
    if (this.isInbound && !this.#isConnected) this.#end('line_lost', 480);
  }

  reject(requested: 'decline' | 'decline_busy' | 'no_microphone' | 'away'): void {
    this.#end(requested, requested === 'decline' ? 603 : requested === 'decline_busy' ? 486 : 480);
  }

  /** See PhoneCall. */
  passOn(to: string): void {
    if (this.#session === null || !this.isInbound || this.#isConnected) return;
    this.#passedTo ??= to;
    this.#end('pass_on', 302, [`Contact: <${this.#needs.addressOf(to)}>`]);
  }

  /** @param requested why; `no_answer` where the other side was given up */
  hangUp(requested: 'hang_up' | 'no_answer' = 'hang_up'): void {
    this.#end(requested);
  }

  /** Hangs up when the tones that were dialed before have gone out; asked again, at once. */
  hangUpAfterTones(): void {
    if (this.#isHangingUp || !this.#tones.arePending) return this.#end('hang_up');
    this.#isHangingUp = true;
    // Who has hung up does not expect to be heard any more.
    this.setMuted(true);
    void this.#tones.finish().then((unsent) => {
      if (this.#isOver) return;
      if (unsent !== '') this.#listener?.onProblem({ code: 'tones_unsent', tones: unsent });
      this.#end('hang_up');
    });
  }

  setMuted(isMuted: boolean): void {
    if (isMuted) this.#session?.mute({ audio: true });
    else this.#session?.unmute({ audio: true });
  }

  /** @param track what the other side hears from now on */
  replaceTrack(track: MediaStreamTrack): void {
    const sender = this.#session?.connection.getSenders().find((one) => one.track?.kind === 'audio');
    track.enabled = sender?.track?.enabled ?? true;
    sender?.replaceTrack(track).catch(() => this.#listener?.onProblem({ code: 'microphone_not_replaced' }));
  }

  setHeld(isHeld: boolean): void {
    if (!this.#needs.isConnected()) return this.#refuseHold('network_unreachable');
    void this.#holding?.hold(isHeld);
  }

  /**
   * Has the network hand the call on to somebody, one at a time.
   * @param to as the PBX knows them
   * @param joined a call with them, whose place the customer takes
   * @returns whether it was asked
   */
  transfer(to: string, joined?: SipCall): boolean {
    if (this.dialog === null || this.#handingOn.isUnderWay) return false;
    if (!this.#needs.isConnected()) {
      this.#listener?.onProblem({ code: 'network_unreachable' });
      this.#tellMedia({ isTransferring: false });
      return false;
    }
    this.#handingOn.begin(to, joined === undefined ? null : joined.#session);
    // Not every network answers at once; that the line is alive is found out by itself.
    this.#needs.checkLine();
    return true;
  }

  /** See PhoneCall. */
  keep(why?: 'unreachable'): void {
    this.#handingOn.keep(why);
  }

  /**
   * The agent's call goes on here, as it was at the SIP call before: nothing is heard of the agent that was not to be.
   */
  goOn(isMuted: boolean, isHeld: boolean): void {
    if (isMuted) this.setMuted(true);
    if (isHeld) this.setHeld(true);
    if (this.#session !== null) insideOf(this.#session)._setLocalMediaStatus();
  }

  /** The agent's voice goes elsewhere. */
  silence(): void {
    for (const sender of this.#session?.connection.getSenders() ?? []) void sender.replaceTrack(null);
  }

  sendDtmf(tone: string): void {
    if (!this.#isHangingUp) this.#tones.send(tone);
  }

  /** Lets go of the voice without a word to the other side. */
  abandon(): void {
    this.#isOver = true;
    this.#guard?.stop();
    this.#timer?.stop();
    this.#handingOn.stop();
    this.#voice?.stop();
    (this.#session?.connection as RTCPeerConnection | undefined)?.close();
  }

  #tell(event: SipCallEvent): void {
    this.#listener?.onEvent(event);
  }

  #tellMedia(media: Partial<CallMedia>): void {
    this.#tell({ type: 'media', media });
  }

  #nameCaller(caller: NamedCaller): void {
    if (caller.phoneNumber === this.#caller.phoneNumber) return;
    this.#caller = caller;
    this.#tell({ type: 'caller_changed', caller: this.caller });
  }

  #moveTarget(target: string | null): void {
    if (this.#dialog !== null && target !== null) this.#dialog = { ...this.#dialog, target };
  }

  #refuseHold(code: 'hold_refused' | 'network_unreachable'): void {
    this.#listener?.onProblem({ code });
    this.#tell({ type: 'held', isHeld: this.isHeld });
  }

  #hear(connection: RTCPeerConnection): void {
    connection.addEventListener('track', ({ track, streams }) => {
      this.#listener?.onSound(streams[0] ?? new MediaStream([track]));
    });
  }

  #end(requested: RequestedEnd, statusCode?: number, extraHeaders: string[] = []): void {
    if (this.#isOver || this.#session === null || this.#session.isEnded()) return;
    this.#requestedEnd ??= requested;
    this.#session.terminate(statusCode === undefined ? {} : { status_code: statusCode, extraHeaders });
    // Of a BYE; to an INVITE that is given up nobody may have to say anything.
    if (this.#isConnected) this.#needs.expectAnswer();
  }

  #watchVoice(connection: RTCPeerConnection, reoffers: Reoffers): VoiceWatch {
    return new VoiceWatch({
      connection,
      isHeld: () => this.#holding?.isOwn === true || this.#holding?.isOther === true,
      isConnected: () => this.#needs.isConnected(),
      checkLine: () => this.#needs.checkLine(),
      restart: async (isNeeded) => {
        const { servers } = this.#needs;
        // Those that the call began with may have ended.
        await servers.renew();
        // Another offer under way tells the new way, or the next try does.
        return reoffers.isBusy ? 'refused' : reoffers.offer({ restartWith: servers.current, isNeeded });
      },
      onTrouble: (trouble) => this.#tellMedia({ trouble }),
      onQuality: (quality) => this.#tellMedia({ quality }),
    });
  }

  #watchIce(session: RTCSession): void {
    session.on('connecting', () => {
      this.#guard = new IceGuard({ onNone: () => this.#end('no_interface') });
    });
    session.on('icecandidate', ({ candidate, ready }) => this.#guard?.take(candidate, ready));
    session.on('sdp', ({ originator, sdp }) => {
      if ((originator as string) !== 'local') return;
      this.#guard?.stop();
      // Asked for new ICE in mid-call, JsSIP answers before there are candidates: the other side
      // learns the way as it is used.
      if (!this.#isConnected && !hasCandidate(sdp)) this.#end('no_interface');
    });
  }

  /** Sound that has begun goes on, whatever is told without any. */
  #ring(hasSound: boolean): void {
    const rings = hasSound || this.#rings === 'with_sound' ? 'with_sound' : 'silently';
    if (rings === this.#rings) return;
    this.#rings = rings;
    this.#tell({ type: 'rings', hasSound: rings === 'with_sound' });
  }

  #finish(event: EndEvent): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#guard?.stop();
    this.#voice?.stop();
    this.#handingOn.stop();
    const end =
      this.#handingOn.endOf(event, this.#requestedEnd) ??
      endingOf(event, {
        direction: this.isInbound ? 'inbound' : 'outbound',
        wasConnected: this.#isConnected,
        requested: this.#requestedEnd,
        rangMs: Date.now() - this.#began,
        takesOver: this.#takesOver,
        voice: this.#voice?.trouble?.kind ?? 'well',
      });
    const quality = this.#voice?.quality ?? null;
    const problem = this.#redirects?.problem ?? null;
    const about = {
      ...(problem === null ? {} : { problem }),
      ...(quality === null ? {} : { quality }),
      ...(end.detail === 'passed_on' && this.#passedTo !== null ? { transferredTo: this.#passedTo } : {}),
    };
    this.#tell({ type: 'ended', end: { ...end, ...about } });
  }
}
