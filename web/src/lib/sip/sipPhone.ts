import { Emitter } from '@socket.io/component-emitter';
import type { SessionTelephony } from '../../../../src/contract/telephony.ts';
import { usualCallerIdHeader, usualCallIdHeader, usualTransferCodes } from '../../../../src/contract/vocabulary.ts';
import { loadAgain } from '../loadAgain.ts';
import { AgentCall } from './agentCall.ts';
import type { IceServers } from './iceServers.ts';
import type { SipCall, SipCallListener } from './jssip/sipCall.ts';
import type { Unread } from './jssip/sipSocket.ts';
import type { SipUserAgent } from './jssip/userAgent.ts';
import { insecurePage, LineDiagnosis, notStarted, registrationRefused, type Trouble } from './lineDiagnosis.ts';
import { MicrophoneWatch } from './microphoneWatch.ts';
import type { HangUpStorage } from './pendingHangUps.ts';
import type { Dialed, Phone, PhoneAbilities, PhoneEvents, TestStep } from './phone.ts';
import { type CallKey, nextCallKey, type PhoneDialog } from './phoneCall.ts';
import type { PhoneLine } from './phoneLine.ts';
import { Speaker } from './speaker.ts';
import type { TestCall } from './testCall.ts';

/** One that is heard, and one beside it. */
const mostCalls = 2;

type Settings = Omit<Extract<SessionTelephony, { mode: 'sip' }>, 'ice_servers'>;

/** The browser as a telephone: SIP over WebSocket, the voice over WebRTC. The SIP library is loaded when it starts. */
export class SipPhone extends Emitter<PhoneEvents, PhoneEvents> implements Phone {
  readonly can: PhoneAbilities;
  readonly #settings: Settings;
  readonly #servers: IceServers;
  readonly #hangUps: HangUpStorage;
  readonly #microphones: MicrophoneWatch;
  #userAgent: SipUserAgent | null = null;
  #diagnosis: LineDiagnosis | null = null;
  #registration: 'starting' | 'registered' | Trouble = 'starting';
  /** Each is heard by itself. */
  readonly #calls = new Map<CallKey, { call: AgentCall; speaker: Speaker }>();
  /** Beside no call: one that begins ends it. */
  #test: TestCall | null = null;
  #isStopped = false;
  /** What was told of messages that could not be read. */
  readonly #unread = new Set<string>();

  /** @param hangUps what the telephones before this one could not tell the network */
  constructor(settings: Settings, servers: IceServers, hangUps: HangUpStorage) {
    super();
    this.#settings = settings;
    const transfer = settings.transfer?.by ?? 'refer';
    this.can = { mute: true, hold: true, dtmf: true, transfer, incoming: true, reportsByHand: false };
    this.#servers = servers;
    this.#hangUps = hangUps;
    this.#microphones = new MicrophoneWatch({
      onState: () => this.#tellLine(),
      onDevices: () => {
        for (const { call, speaker } of this.#calls.values()) {
          speaker.route();
          call.renewMicrophone();
        }
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

  call(key: CallKey): AgentCall | null {
    return this.#calls.get(key)?.call ?? null;
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
    for (const { call } of this.#calls.values()) call.leaveConsult();
    this.#letGo((userAgent) => userAgent.abandon());
  }

  dial(key: CallKey, whom: Dialed): void {
    this.#begin(key)?.dial(whom);
  }

  takeOver(key: CallKey, dialog: PhoneDialog): void {
    this.#begin(key, { takenOver: dialog })?.takeOver(dialog);
  }

  release(dialog: PhoneDialog): void {
    if (this.#userAgent === null) this.#hangUps.add({ bye: dialog }, Date.now());
    else this.#userAgent.release(dialog);
  }

  test(onStep: (step: TestStep) => void): () => void {
    const number = this.#settings.echo_number;
    const never = () => onStep({ step: 'over', quality: null, end: null });
    let test: TestCall | null = null;
    let isGivenUp = false;
    void Promise.all([loadAgain(() => import('./testCall.ts')), this.#servers.renew()]).then(([{ TestCall: Test }]) => {
      if (isGivenUp || number === undefined || this.#calls.size > 0) return never();
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

  async #register(): Promise<void> {
    const { wss_url, user, secret, domain, display_name } = this.#settings;
    const callIdHeader = this.#settings.call_id_header ?? usualCallIdHeader;
    const callerIdHeader = this.#settings.caller_id_header ?? usualCallerIdHeader;
    const dialedNumberHeader = this.#settings.dialed_number_header ?? null;
    const queueHeader = this.#settings.queue_header ?? null;
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
          queueHeader,
          transfer: this.#settings.transfer ?? { by: 'refer', code: usualTransferCodes.refer },
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

  /** Null: there are two calls already. */
  #begin(key: CallKey, about: { call?: SipCall; takenOver?: PhoneDialog } = {}): AgentCall | null {
    if (this.#calls.size >= mostCalls) return null;
    this.#test?.end();
    const speaker = new Speaker(() => {
      this.emit('problem', { code: 'no_sound_yet' });
    });
    const call = new AgentCall(
      {
        userAgent: () => this.#userAgent,
        line: () => this.line,
        servers: this.#servers,
        openMicrophone: () => this.#microphones.open(),
        noAnswerMs: this.#settings.no_answer_seconds * 1000,
        play: (sound) => speaker.play(sound),
        onEvent: (event) => {
          if (event.type === 'ended') this.#forget(key);
          this.emit('call', key, event);
        },
        onProblem: (problem) => void this.emit('problem', problem),
      },
      about,
    );
    this.#calls.set(key, { call, speaker });
    return call;
  }

  #forget(key: CallKey): void {
    this.#calls.get(key)?.speaker.silence();
    this.#calls.delete(key);
  }

  #beCalled(call: SipCall, isBusy: boolean): SipCallListener | null {
    // Nobody is turned away for a test. Whether a second call has a place is for whoever listens to say.
    const isLeftOver = isBusy && this.#calls.size === 0 && this.#test === null;
    if (this.#calls.size >= mostCalls || isLeftOver) {
      queueMicrotask(() => this.emit('turnedAway', call.ring));
      return null;
    }
    // A queue rings again as soon as a page is back: whether there is a microphone shows by the answer at the latest.
    const isComing = isUsable() && this.#registration === 'registered' && this.#microphones.state === 'asking';
    if (this.line.state !== 'ready' && !isComing) return null;
    const key = nextCallKey();
    const own = this.#begin(key, { call });
    // Whoever listens may decline at once, which is for after the call has been taken in.
    queueMicrotask(() => {
      if (own?.isOver === false) this.emit('incoming', key, call.ring);
    });
    return own?.listener ?? null;
  }

  #letGo(how: (userAgent: SipUserAgent) => void): void {
    this.off();
    this.#isStopped = true;
    this.#diagnosis?.close();
    if (isUsable()) this.#microphones.stop();
    this.#test?.end();
    if (this.#userAgent !== null) how(this.#userAgent);
    this.#userAgent = null;
    for (const [key, { call }] of this.#calls) {
      call.close();
      this.#forget(key);
    }
  }

  #tellLine(): void {
    if (!this.#isStopped) this.emit('line', this.line);
  }
}

function isUsable(): boolean {
  return isSecureContext && 'mediaDevices' in navigator;
}
