import { loadAgain } from '../loadAgain.ts';
import { CallAttempt } from './callAttempt.ts';
import { CallMoves } from './callMoves.ts';
import type { IceServers } from './iceServers.ts';
import type { SipCall, SipCallEvent, SipCallListener } from './jssip/sipCall.ts';
import type { SipUserAgent } from './jssip/userAgent.ts';
import type { OpenMicrophone } from './microphone.ts';
import type { Dialed } from './phone.ts';
import type {
  Caller,
  ConsultOptions,
  PhoneCall,
  PhoneCallEvent,
  PhoneDialog,
  PhoneEnd,
  PhoneListener,
  PhoneProblem,
} from './phoneCall.ts';
import type { PhoneLine } from './phoneLine.ts';

type Needs = {
  /** Null: there is no telephone yet, or any more. */
  userAgent: () => SipUserAgent | null;
  line: () => PhoneLine;
  servers: IceServers;
  /** Null: none can be used. */
  openMicrophone: () => Promise<OpenMicrophone | null>;
  /** Unanswered for longer, a call is given up. Milliseconds. */
  noAnswerMs: number;
  /** Has the agent hear that, in place of what was heard before. */
  play: (sound: MediaStream) => void;
  onEvent: (event: PhoneCallEvent) => void;
  onProblem: (problem: PhoneProblem) => void;
};

/** A microphone that has not opened by then leaves the other side of a call in silence. Milliseconds. */
const microphoneWithinMs = 30_000;
/** A network that hands calls over does so at once. Milliseconds. */
const takeOverWithinMs = 15_000;
/** No call is put through more often: the gateway takes no more. */
const mostCallerChanges = 20;

/** A call of the agent's, whichever SIP calls it goes over. */
export class AgentCall implements PhoneCall {
  readonly #needs: Needs;
  readonly #attempt: CallAttempt;
  readonly #moves: CallMoves;
  /** What the agent hears of the other side. */
  #heard: MediaStream | null = null;
  #noAnswer: ReturnType<typeof setTimeout> | undefined;

  /** @param about `call`: of somebody who calls; `takenOver`: of a page that is gone */
  constructor(needs: Needs, about: { call?: SipCall; takenOver?: PhoneDialog } = {}) {
    this.#needs = needs;
    this.#attempt = new CallAttempt({ open: needs.openMicrophone, onProblem: needs.onProblem }, about);
    this.#moves = new CallMoves({
      userAgent: needs.userAgent,
      listener: this.listener,
      noAnswerMs: needs.noAnswerMs,
      onStep: (step, who) => {
        this.#attempt.listeners?.refresh();
        this.#tell({ type: 'moved', step, who });
      },
    });
  }

  get dialog(): PhoneDialog | null {
    const { call, consult, listeners } = this.#attempt;
    const dialog = call?.dialog ?? null;
    const isSilentInMix = consult?.isSilentInConference === true || listeners?.isMutedInMix === true;
    return dialog !== null && isSilentInMix ? { ...dialog, isMuted: true } : dialog;
  }
  get isOver(): boolean {
    return this.#attempt.isOver;
  }

  dial({ phoneNumber, callId, callerId }: Dialed): void {
    void this.#place(this.#needs.noAnswerMs, (userAgent, stream) =>
      userAgent.dial(phoneNumber, stream, this.listener, { callId, callerId }),
    );
  }

  /** @param dialog what `takenOver` was said to be */
  takeOver(dialog: PhoneDialog): void {
    const problem = { code: 'not_taken_over' } as const;
    this.#noAnswer = setTimeout(() => this.#end({ reason: 'failed', problem }), microphoneWithinMs);
    void this.#place(takeOverWithinMs, (userAgent, stream) => userAgent.replace(dialog, stream, this.listener));
  }

  answer(): void {
    const attempt = this.#attempt;
    const { call } = attempt;
    if (call === null || attempt.isAnswering || call.dialog !== null) return;
    attempt.isAnswering = true;
    void this.#open().then((stream) => {
      if (attempt.isOver) return;
      if (stream === null) call.reject('no_microphone');
      else call.answer(stream);
    });
  }

  reject(why?: 'busy' | 'away'): void {
    this.#attempt.call?.reject(why === 'busy' ? 'decline_busy' : why === 'away' ? 'away' : 'decline');
  }

  passOn(to: string): void {
    this.#attempt.call?.passOn(to);
  }

  hangUp(when?: 'after_tones'): void {
    const { call, move } = this.#attempt;
    if (call === null) this.#end({ reason: 'canceled', endedBy: 'agent' });
    else if (move !== null) move.hangUp();
    else if (when === 'after_tones') call.hangUpAfterTones();
    else call.hangUp();
  }

  setMuted(isMuted: boolean): void {
    const { call, consult, listeners } = this.#attempt;
    if (call === null || (call.dialog === null && !this.#isBetweenCalls)) return;
    const isMixed = consult?.setMuted(isMuted) === true || listeners?.setMuted(isMuted) === true;
    // The next SIP call begins as this one is.
    if (!isMixed) call.setMuted(isMuted);
    listeners?.refresh();
    this.#tell({ type: 'muted', isMuted: isMixed ? isMuted : call.isMuted });
  }

  setHeld(isHeld: boolean): void {
    const attempt = this.#attempt;
    const { call, consult } = attempt;
    if (consult !== null) consult.talkTo(isHeld ? 'colleague' : 'customer');
    else if (this.#isBetweenCalls) {
      this.#needs.onProblem({ code: 'between_calls' });
      this.#tell({ type: 'held', isHeld: call?.isHeld === true });
    } else if (this.dialog !== null) {
      // What the agent wants now counts, not what was so before the call was taken over.
      if (!isHeld) attempt.isHoldDue = false;
      call?.setHeld(isHeld);
    } else if (attempt.takenOver !== null) attempt.wantedHeld = isHeld;
  }

  transfer(to: string): void {
    const { call, move } = this.#attempt;
    if (move === null && this.dialog !== null) call?.transfer(to);
    if (move === null) return;
    this.#needs.onProblem({ code: 'between_calls' });
    this.#tell({ type: 'media', media: { isTransferring: false } });
  }

  keep(why?: 'unreachable'): void {
    this.#attempt.call?.keep(why);
  }

  consult(to: string, options: ConsultOptions = {}): void {
    const attempt = this.#attempt;
    const { noAnswerMs, onProblem, userAgent } = this.#needs;
    if (attempt.move !== null) onProblem({ code: 'between_calls' });
    if (attempt.move !== null || this.dialog === null) return this.#tell({ type: 'media', media: { consult: null } });
    void this.#load(() => import('./consultation.ts')).then(({ beginConsultation }) =>
      beginConsultation(attempt, to, options, {
        dial: (voice, listener) => userAgent()?.dial(to, voice, listener, options) ?? null,
        usualNoAnswerMs: noAnswerMs,
        play: (sound) => this.#play(sound),
        onChange: (consult) => {
          attempt.listeners?.refresh();
          this.#tell({ type: 'media', media: { consult } });
        },
        onProblem,
      }),
    );
  }

  confer(): void {
    this.#attempt.consult?.confer();
  }

  completeConsult(): void {
    this.#attempt.consult?.complete();
  }

  endConsult(why?: 'unreachable'): void {
    this.#attempt.consult?.end(why);
  }

  async admitListener(): Promise<PhoneListener | null> {
    const attempt = this.#attempt;
    const { Listeners } = await this.#load(() => import('./listeners.ts'));
    if (attempt.isOver) return null;
    attempt.listeners ??= new Listeners({
      attempt,
      servers: this.#needs.servers,
      heard: () => this.#heard,
      isMuted: () => this.dialog?.isMuted === true,
    });
    return attempt.listeners.admit();
  }

  sendDtmf(tone: string): void {
    const { call, consult } = this.#attempt;
    if (this.#isBetweenCalls) this.#needs.onProblem({ code: 'between_calls' });
    else if (this.dialog !== null && /^[0-9*#A-D]$/.test(tone)) (consult?.current ?? call)?.sendDtmf(tone);
  }

  reportAnswered(): void {}
  reportEnded(_end: PhoneEnd): void {}

  /** Something was plugged in or out, or chosen. */
  renewMicrophone(): void {
    void this.#attempt.renewMicrophone();
  }

  /** Whom the agent consults is left: nobody takes that call over. */
  leaveConsult(): void {
    this.#attempt.consult?.close(false);
  }

  /** Lets go of everything. Nothing is told any more. */
  close(): void {
    clearTimeout(this.#noAnswer);
    this.#attempt.end();
  }

  /** Whoever transferred the call has hung up, and the next one has not answered. */
  get #isBetweenCalls(): boolean {
    const { call, move } = this.#attempt;
    return move !== null && call?.wasConnected === true && call.dialog === null;
  }

  /** Of the SIP call that it goes over, whichever that is. */
  readonly listener: SipCallListener = {
    onEvent: (event) => this.#take(event),
    onSound: (stream) => {
      this.#attempt.sound = stream;
      if (this.#attempt.consult?.isWithCustomer !== false) this.#play(stream);
    },
    onProblem: (problem) => this.#needs.onProblem(problem),
    onReferred: (referral) => this.#moves.refer(this.#attempt, referral),
    onReplaced: (call) => this.#moves.replace(this.#attempt, call),
  };

  #take(event: SipCallEvent): void {
    switch (event.type) {
      case 'connected':
        return this.#connect();
      case 'held':
        return this.#beHeld(event.isHeld);
      case 'caller_changed':
        return this.#changeCaller(event.caller);
      case 'ended':
        return this.#end(event.end);
      default:
        this.#tell(event);
        if (event.type === 'media' && event.media.isTransferring === false) this.#attempt.notHandedOn();
    }
  }

  #connect(): void {
    const attempt = this.#attempt;
    clearTimeout(this.#noAnswer);
    if (attempt.isHoldDue) attempt.call?.setHeld(true);
    this.#tell({ type: 'connected' });
    if (attempt.takenOver?.isMuted === true) this.setMuted(true);
    if (attempt.wantedHeld !== null) this.setHeld(attempt.wantedHeld);
    attempt.wantedHeld = null;
  }

  #beHeld(isHeld: boolean): void {
    const attempt = this.#attempt;
    const isLost = attempt.isHoldDue && !isHeld;
    attempt.isHoldDue = false;
    if (isLost) {
      // The agent believes that nobody listens.
      this.setMuted(true);
      this.#needs.onProblem({ code: 'hold_lost' });
    }
    this.#tell({ type: 'held', isHeld });
    attempt.consult?.customerHeld(isHeld);
    attempt.listeners?.refresh();
  }

  #changeCaller(caller: Caller): void {
    if (this.#attempt.callerChanges >= mostCallerChanges) return;
    this.#attempt.callerChanges += 1;
    this.#tell({ type: 'caller_changed', caller });
  }

  #play(sound: MediaStream): void {
    this.#heard = sound;
    this.#needs.play(sound);
    this.#attempt.listeners?.refresh();
  }

  /** What a call begins with: its microphone, as of `CallAttempt.open`, and servers that last for it. */
  async #open(): Promise<MediaStream | null> {
    const [stream] = await Promise.all([this.#attempt.open(), this.#needs.servers.renew()]);
    return stream;
  }

  /** The same of a connection beside the call, with the part of the page that it needs. */
  async #load<T>(load: () => Promise<T>): Promise<T> {
    const [part] = await Promise.all([loadAgain(load), this.#needs.servers.renew()]);
    return part;
  }

  /** @param withinMs unanswered for longer, the call is given up */
  async #place(withinMs: number, begin: (userAgent: SipUserAgent, stream: MediaStream) => SipCall): Promise<void> {
    const attempt = this.#attempt;
    const stream = await this.#open();
    if (attempt.isOver) return;
    clearTimeout(this.#noAnswer);
    const userAgent = this.#needs.userAgent();
    if (stream === null || userAgent === null) {
      return this.#end({ reason: 'failed', problem: { code: 'phone_not_ready', line: this.#needs.line() } });
    }
    try {
      attempt.call = begin(userAgent, stream);
    } catch {
      return this.#end({ reason: 'failed', problem: { code: 'settings_refused' } });
    }
    const { call } = attempt;
    this.#noAnswer = setTimeout(() => call.hangUp('no_answer'), withinMs);
    this.#tell({ type: 'placed', sipCallId: attempt.takenOver?.callId ?? call.sipCallId });
  }

  #end(end: PhoneEnd): void {
    const attempt = this.#attempt;
    if (attempt.isOver) return;
    attempt.end(end.reason === 'transferred');
    clearTimeout(this.#noAnswer);
    // Nothing was sent yet: the call that was to be taken over is as it was.
    const stands = attempt.takenOver !== null && attempt.call === null;
    this.#tell({ type: 'ended', end: stands ? { ...end, stands } : (handedOnBefore(attempt, end) ?? end) });
  }

  #tell(event: PhoneCallEvent): void {
    this.#needs.onEvent(event);
  }
}

/** No such dialog (RFC 3891). */
const gone = 481;

/**
 * The network had agreed to hand the call on before it was to be taken over, and has it no more. Null: that is not so.
 */
function handedOnBefore({ takenOver }: CallAttempt, { sipCode }: PhoneEnd): PhoneEnd | null {
  if (takenOver?.transferTo === undefined || sipCode !== gone) return null;
  return { reason: 'transferred', endedBy: 'agent', transferredTo: takenOver.transferTo };
}
