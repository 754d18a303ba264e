import { Emitter } from '@socket.io/component-emitter';
import type { SessionTelephony } from '../../../../src/contract/telephony.ts';
import { usualCallerIdHeader, usualCallIdHeader } from '../../../../src/contract/vocabulary.ts';
import { loadAgain } from '../loadAgain.ts';
import { CallAttempt } from './callAttempt.ts';
import { CallMoves } from './callMoves.ts';
import type { IceServers } from './iceServers.ts';
import type { SipCall, SipCallListener } from './jssip/sipCall.ts';
import type { Unread } from './jssip/sipSocket.ts';
import type { SipUserAgent } from './jssip/userAgent.ts';
import { insecurePage, LineDiagnosis, notStarted, registrationRefused, type Trouble } from './lineDiagnosis.ts';
import { MicrophoneWatch } from './microphoneWatch.ts';
import type { HangUpStorage } from './pendingHangUps.ts';
import type {
  Caller,
  ConsultOptions,
  Phone,
  PhoneAbilities,
  PhoneDialog,
  PhoneEnd,
  PhoneEvents,
  PhoneLine,
  PhoneListener,
  TestStep,
} from './phone.ts';
import { Speaker } from './speaker.ts';
import type { TestCall } from './testCall.ts';

type Settings = Omit<Extract<SessionTelephony, { mode: 'sip' }>, 'ice_servers'>;

/** A microphone that has not opened by then leaves the other side of a call in silence. Milliseconds. */
const microphoneWithinMs = 30_000;
/** A network that hands calls over does so at once. Milliseconds. */
const takeOverWithinMs = 15_000;
/** No call is put through more often: the gateway takes no more. */
const mostCallerChanges = 20;

/** The browser as a telephone: SIP over WebSocket, the voice over WebRTC. The SIP library is loaded when it starts. */
export class SipPhone extends Emitter<PhoneEvents, PhoneEvents> implements Phone {
  readonly can: PhoneAbilities = {
    mute: true,
    hold: true,
    dtmf: true,
    transfer: true,
    incoming: true,
    reportsByHand: false,
  };
  readonly #settings: Settings;
  readonly #servers: IceServers;
  readonly #hangUps: HangUpStorage;
  readonly #speaker: Speaker;
  readonly #microphones: MicrophoneWatch;
  readonly #moves: CallMoves;
  #userAgent: SipUserAgent | null = null;
  #diagnosis: LineDiagnosis | null = null;
  #registration: 'starting' | 'registered' | Trouble = 'starting';
  /** The call that there is; there is one at a time. */
  #attempt: CallAttempt | null = null;
  /** What the agent hears of the other side. */
  #heard: MediaStream | null = null;
  #noAnswer: ReturnType<typeof setTimeout> | undefined;
  /** Beside no call: one that begins ends it. */
  #test: TestCall | null = null;
  #isStopped = false;
  /** What was told of messages that could not be read. */
  readonly #unread = new Set<string>();

  /** @param hangUps what the telephones before this one could not tell the network */
  constructor(settings: Settings, servers: IceServers, hangUps: HangUpStorage) {
    super();
    this.#settings = settings;
    this.#servers = servers;
    this.#hangUps = hangUps;
    this.#speaker = new Speaker(() => {
      this.emit('problem', { code: 'no_sound_yet' });
    });
    this.#microphones = new MicrophoneWatch({
      onState: () => this.#tellLine(),
      onDevices: () => {
        this.#speaker.route();
        void this.#attempt?.renewMicrophone();
      },
    });
    this.#moves = new CallMoves({
      userAgent: () => this.#userAgent,
      listener: (attempt) => this.#listener(attempt),
      noAnswerMs: settings.no_answer_seconds * 1000,
      onStep: (step, who) => {
        this.#attempt?.listeners?.refresh();
        this.emit('move', step, who);
      },
    });
  }

  get line(): PhoneLine {
    if (!isUsable()) return insecurePage;
    const microphone = this.#microphones.state;
    if (typeof microphone === 'object') return microphone;
    if (typeof this.#registration === 'object') return this.#registration;
    return microphone === 'usable' && this.#registration === 'registered' ? { state: 'ready' } : { state: 'starting' };
  }

  get dialog(): PhoneDialog | null {
    const dialog = this.#attempt?.call?.dialog ?? null;
    const isSilentInMix =
      this.#attempt?.consult?.isSilentInConference === true || this.#attempt?.listeners?.isMutedInMix === true;
    return dialog !== null && isSilentInMix ? { ...dialog, isMuted: true } : dialog;
  }

  start(): void {
    this.#tellLine();
    if (!isUsable()) return;
    this.#microphones.start();
    void this.#register();
  }

  withdraw(): void {
    this.#userAgent?.withdraw();
  }

  stop(): void {
    this.#letGo((userAgent) => userAgent.stop());
  }

  abandon(): void {
    // Nobody takes that call over.
    this.#attempt?.consult?.close(false);
    this.#letGo((userAgent) => userAgent.abandon());
  }

  dial(phoneNumber: string, callId: string, callerId: string | null = null): void {
    if (this.#attempt !== null) return;
    const attempt = this.#attemptAt({});
    const withinMs = this.#settings.no_answer_seconds * 1000;
    const listener = this.#listener(attempt);
    void this.#place(attempt, withinMs, (userAgent, stream) =>
      userAgent.dial(phoneNumber, stream, listener, { callId, callerId }),
    );
  }

  takeOver(dialog: PhoneDialog): void {
    if (this.#attempt !== null) return;
    const attempt = this.#attemptAt({ takenOver: dialog });
    const listener = this.#listener(attempt);
    void this.#place(attempt, takeOverWithinMs, (userAgent, stream) => userAgent.replace(dialog, stream, listener));
  }

  release(dialog: PhoneDialog): void {
    if (this.#userAgent === null) this.#hangUps.add({ bye: dialog }, Date.now());
    else this.#userAgent.release(dialog);
  }

  answer(): void {
    const attempt = this.#attempt;
    const call = attempt?.call ?? null;
    if (attempt === null || call === null || attempt.isAnswering || call.dialog !== null) return;
    attempt.isAnswering = true;
    void this.#open(attempt).then((stream) => {
      if (attempt.isOver) return;
      if (stream === null) call.reject('no_microphone');
      else call.answer(stream);
    });
  }

  reject(why?: 'busy' | 'away'): void {
    this.#attempt?.call?.reject(why === 'busy' ? 'decline_busy' : why === 'away' ? 'away' : 'decline');
  }

  hangUp(when?: 'after_tones'): boolean {
    const attempt = this.#attempt;
    if (attempt === null) return false;
    if (attempt.call === null) this.#end(attempt, { reason: 'canceled', endedBy: 'agent' });
    else if (attempt.move !== null) attempt.move.hangUp();
    else if (when === 'after_tones') attempt.call.hangUpAfterTones();
    else attempt.call.hangUp();
    return true;
  }

  setMuted(isMuted: boolean): void {
    const call = this.#attempt?.call ?? null;
    if (call === null || (call.dialog === null && !this.#isBetweenCalls)) return;
    const { consult, listeners } = this.#attempt ?? {};
    const isMixed = consult?.setMuted(isMuted) === true || listeners?.setMuted(isMuted) === true;
    // The next SIP call begins as this one is.
    if (!isMixed) call.setMuted(isMuted);
    listeners?.refresh();
    this.emit('muted', isMixed ? isMuted : call.isMuted);
  }

  setHeld(isHeld: boolean): void {
    const attempt = this.#attempt;
    const call = attempt?.call ?? null;
    if (attempt !== null && attempt.consult !== null) attempt.consult.talkTo(isHeld ? 'colleague' : 'customer');
    else if (this.#isBetweenCalls) {
      this.emit('problem', { code: 'between_calls' });
      this.emit('held', call?.isHeld === true);
    } else if (this.dialog !== null) {
      // What the agent wants now counts, not what was so before the call was taken over.
      if (attempt !== null && !isHeld) attempt.isHoldDue = false;
      call?.setHeld(isHeld);
    } else if (attempt?.takenOver != null) attempt.wantedHeld = isHeld;
  }

  transfer(to: string): void {
    if (this.#attempt !== null && this.#attempt.move !== null) this.emit('problem', { code: 'between_calls' });
    else if (this.dialog !== null) this.#attempt?.call?.transfer(to);
  }

  consult(to: string, options: ConsultOptions = {}): void {
    const attempt = this.#attempt;
    if (attempt !== null && attempt.move !== null) this.emit('problem', { code: 'between_calls' });
    if (attempt === null || attempt.move !== null || this.dialog === null) return void this.emit('consult', null);
    void this.#load(() => import('./consultation.ts')).then(({ beginConsultation }) =>
      beginConsultation(attempt, to, options, {
        dial: (voice, listener) => this.#userAgent?.dial(to, voice, listener, options) ?? null,
        usualNoAnswerMs: this.#settings.no_answer_seconds * 1000,
        play: (sound) => this.#play(sound),
        onChange: (consult) => {
          attempt.listeners?.refresh();
          this.emit('consult', consult);
        },
        onProblem: (problem) => void this.emit('problem', problem),
      }),
    );
  }

  async admitListener(): Promise<PhoneListener | null> {
    const attempt = this.#attempt;
    const { Listeners } = await this.#load(() => import('./listeners.ts'));
    if (attempt === null || attempt.isOver) return null;
    attempt.listeners ??= new Listeners({
      attempt,
      servers: this.#servers,
      heard: () => this.#heard,
      isMuted: () => this.dialog?.isMuted === true,
    });
    return attempt.listeners.admit();
  }

  confer(): void {
    this.#attempt?.consult?.confer();
  }

  completeConsult(): void {
    this.#attempt?.consult?.complete();
  }

  endConsult(why?: 'unreachable'): void {
    this.#attempt?.consult?.end(why);
  }

  sendDtmf(tone: string): void {
    if (this.#isBetweenCalls) this.emit('problem', { code: 'between_calls' });
    else if (this.dialog !== null && /^[0-9*#A-D]$/.test(tone))
      (this.#attempt?.consult?.current ?? this.#attempt?.call)?.sendDtmf(tone);
  }

  test(onStep: (step: TestStep) => void): () => void {
    const number = this.#settings.echo_number;
    const never = () => onStep({ step: 'over', quality: null, end: null });
    let test: TestCall | null = null;
    let isGivenUp = false;
    void this.#load(() => import('./testCall.ts')).then(({ TestCall: Test }) => {
      if (isGivenUp || number === undefined || this.#attempt !== null) return never();
      this.#test?.end();
      test = this.#test = new Test({
        open: () => this.#microphones.open(),
        dial: (voice, listener) => this.#userAgent?.dial(number, voice, listener) ?? null,
        onStep,
        onOver: () => (this.#test = null),
      });
      void test.begin();
    }, never);
    return () => {
      isGivenUp = true;
      test?.end();
    };
  }

  reportAnswered(): void {}
  reportEnded(_end: PhoneEnd): void {}

  /** Whoever transferred the call has hung up, and the next one has not answered. */
  get #isBetweenCalls(): boolean {
    const attempt = this.#attempt;
    return (
      attempt !== null && attempt.move !== null && attempt.call?.wasConnected === true && attempt.call.dialog === null
    );
  }

  async #register(): Promise<void> {
    const { wss_url, user, secret, domain, display_name } = this.#settings;
    const callIdHeader = this.#settings.call_id_header ?? usualCallIdHeader;
    const callerIdHeader = this.#settings.caller_id_header ?? usualCallerIdHeader;
    const dialedNumberHeader = this.#settings.dialed_number_header ?? null;
    const wssUrl = new URL(wss_url, location.href.replace(/^http/, 'ws')).href;
    try {
      const { SipUserAgent, claimContact } = await loadAgain(() => import('./jssip/userAgent.ts'));
      const contact = await claimContact(`${user}@${domain}`);
      if (this.#isStopped) return;
      const diagnosis = new LineDiagnosis(wssUrl, (trouble) => this.#become(trouble));
      this.#diagnosis = diagnosis;
      const userAgent = new SipUserAgent(
        {
          wssUrl,
          user,
          secret,
          domain,
          displayName: display_name,
          servers: this.#servers,
          contact,
          callIdHeader,
          callerIdHeader,
          dialedNumberHeader,
        },
        this.#hangUps,
        {
          onRegistered: () => {
            diagnosis.recovered();
            this.#become('registered');
          },
          onDown: () => {
            if (!this.#isStopped) diagnosis.down();
          },
          onRefused: (code, asked, isTaken) => {
            diagnosis.recovered();
            this.#become(registrationRefused(code, asked, isTaken));
          },
          onUnread: (unread) => this.#tellUnread(unread),
          onInvite: (call, isBusy) => this.#beCalled(call, isBusy),
        },
      );
      this.#userAgent = userAgent;
      userAgent.start();
    } catch (error) {
      this.#become(notStarted(error));
    }
  }

  /** A call each time, as it is missing; what comes again and again once. */
  #tellUnread({ what, isCall }: Unread): void {
    if (this.#isStopped || (!isCall && this.#unread.has(what))) return;
    this.#unread.add(what);
    this.emit('problem', { code: 'message_unread', what });
  }

  #become(registration: 'registered' | Trouble): void {
    this.#registration = registration;
    this.#tellLine();
  }

  #attemptAt(about: { call?: SipCall; takenOver?: PhoneDialog }): CallAttempt {
    this.#test?.end();
    const open = () => this.#microphones.open();
    return (this.#attempt = new CallAttempt(
      { open, onProblem: (problem) => void this.emit('problem', problem) },
      about,
    ));
  }

  /** What a call begins with: its microphone, as of `CallAttempt.open`, and servers that last for it. */
  async #open(attempt: CallAttempt): Promise<MediaStream | null> {
    const [stream] = await Promise.all([attempt.open(), this.#servers.renew()]);
    return stream;
  }

  /** The same of a connection beside a call, with the part of the page that it needs. */
  async #load<T>(load: () => Promise<T>): Promise<T> {
    const [part] = await Promise.all([loadAgain(load), this.#servers.renew()]);
    return part;
  }

  /** @param withinMs unanswered for longer, the call is given up */
  async #place(
    attempt: CallAttempt,
    withinMs: number,
    begin: (userAgent: SipUserAgent, stream: MediaStream) => SipCall,
  ): Promise<void> {
    if (attempt.takenOver !== null) {
      const problem = { code: 'not_taken_over' } as const;
      this.#noAnswer = setTimeout(() => this.#end(attempt, { reason: 'failed', problem }), microphoneWithinMs);
    }
    const stream = await this.#open(attempt);
    if (attempt.isOver) return;
    clearTimeout(this.#noAnswer);
    if (stream === null || this.#userAgent === null) {
      return this.#end(attempt, { reason: 'failed', problem: { code: 'phone_not_ready', line: this.line } });
    }
    try {
      attempt.call = begin(this.#userAgent, stream);
    } catch {
      return this.#end(attempt, { reason: 'failed', problem: { code: 'settings_refused' } });
    }
    const { call } = attempt;
    this.#noAnswer = setTimeout(() => call.hangUp('no_answer'), withinMs);
    this.emit('placed', attempt.takenOver?.callId ?? call.sipCallId);
  }

  #beCalled(call: SipCall, isBusy: boolean): SipCallListener | null {
    // Nobody is turned away for a test.
    if (this.#attempt !== null || (isBusy && this.#test === null)) {
      queueMicrotask(() => this.emit('turnedAway', call.ring));
      return null;
    }
    // A queue rings again as soon as a page is back: whether there is a microphone shows by the answer at the latest.
    const isComing = isUsable() && this.#registration === 'registered' && this.#microphones.state === 'asking';
    if (this.line.state !== 'ready' && !isComing) return null;
    const attempt = this.#attemptAt({ call });
    // Whoever listens may decline at once, which is for after the call has been taken in.
    queueMicrotask(() => {
      if (!attempt.isOver) this.emit('incoming', call.ring);
    });
    return this.#listener(attempt);
  }

  #listener(attempt: CallAttempt): SipCallListener {
    return {
      onRinging: (hasSound) => void this.emit('ringing', hasSound),
      onConnected: () => {
        clearTimeout(this.#noAnswer);
        if (attempt.isHoldDue) attempt.call?.setHeld(true);
        this.emit('connected');
        if (attempt.takenOver?.isMuted === true) this.setMuted(true);
        if (attempt.wantedHeld !== null) this.setHeld(attempt.wantedHeld);
        attempt.wantedHeld = null;
      },
      onHeld: (isHeld) => this.#beHeld(attempt, isHeld),
      onCaller: (caller) => this.#changeCaller(attempt, caller),
      onHeldByOther: (isHeld) => void this.emit('heldByOther', isHeld),
      onTransferring: (isAsked) => {
        this.emit('transferring', isAsked);
        if (!isAsked) attempt.notHandedOn();
      },
      onSound: (stream) => {
        attempt.sound = stream;
        if (attempt.consult?.isWithCustomer !== false) this.#play(stream);
      },
      onQuality: (quality) => void this.emit('quality', quality),
      onVoiceTrouble: (trouble) => void this.emit('voiceTrouble', trouble),
      onProblem: (problem) => void this.emit('problem', problem),
      onReferred: (referral) => this.#moves.refer(attempt, referral),
      onReplaced: (call) => this.#moves.replace(attempt, call),
      onEnded: (end) => this.#end(attempt, end),
    };
  }

  #changeCaller(attempt: CallAttempt, caller: Caller): void {
    if (attempt.callerChanges >= mostCallerChanges) return;
    attempt.callerChanges += 1;
    this.emit('callerChanged', caller);
  }

  #play(sound: MediaStream): void {
    this.#heard = sound;
    this.#speaker.play(sound);
    this.#attempt?.listeners?.refresh();
  }

  #beHeld(attempt: CallAttempt, isHeld: boolean): void {
    const isLost = attempt.isHoldDue && !isHeld;
    attempt.isHoldDue = false;
    if (isLost) {
      // The agent believes that nobody listens.
      this.setMuted(true);
      this.emit('problem', { code: 'hold_lost' });
    }
    this.emit('held', isHeld);
    attempt.consult?.customerHeld(isHeld);
    attempt.listeners?.refresh();
  }

  #end(attempt: CallAttempt, end: PhoneEnd): void {
    if (attempt.isOver) return;
    attempt.end(end.reason === 'transferred');
    clearTimeout(this.#noAnswer);
    this.#attempt = null;
    this.#speaker.silence();
    this.#heard = null;
    // Nothing was sent yet: the call that was to be taken over is as it was.
    const stands = attempt.takenOver !== null && attempt.call === null;
    this.emit('ended', stands ? { ...end, stands } : (handedOnBefore(attempt, end) ?? end));
  }

  #letGo(how: (userAgent: SipUserAgent) => void): void {
    this.off();
    this.#isStopped = true;
    clearTimeout(this.#noAnswer);
    this.#diagnosis?.close();
    if (isUsable()) this.#microphones.stop();
    this.#test?.end();
    if (this.#userAgent !== null) how(this.#userAgent);
    this.#userAgent = null;
    this.#attempt?.end();
    this.#attempt = null;
    this.#speaker.silence();
    this.#heard = null;
  }

  #tellLine(): void {
    if (!this.#isStopped) this.emit('line', this.line);
  }
}

function isUsable(): boolean {
  return isSecureContext && 'mediaDevices' in navigator;
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
