import { Emitter } from '@socket.io/component-emitter';
import type { SessionTelephony } from '../../../src/contract/telephony.ts';
import { closeMicrophone, openMicrophone } from './microphone.ts';
import type { Phone, PhoneAbilities, PhoneDialog, PhoneEnd, PhoneEvents, PhoneLine, PhoneStats } from './phone.ts';
import { Speaker } from './speaker.ts';
import type { SipCall, SipCallListener } from './sip/sipCall.ts';
import type { SipUserAgent } from './sip/userAgent.ts';

type Settings = Extract<SessionTelephony, { mode: 'sip' }>;
type Trouble = Extract<PhoneLine, { state: 'unavailable' }>;
type Registration = 'starting' | 'registered' | Trouble;

/** A network that hands calls over does so at once. Milliseconds. */
const takeOverWithinMs = 15_000;

const insecure: Trouble = {
  state: 'unavailable',
  why: 'insecure_page',
  detail: 'The browser gives no microphone to a page without https. Ask your admin for the https address of this page.',
  retrying: false,
};

/** The browser as a telephone: SIP over WebSocket, the voice over WebRTC. The SIP library is loaded when it starts. */
export class SipPhone extends Emitter<PhoneEvents, PhoneEvents> implements Phone {
  readonly can: PhoneAbilities = { mute: true, hold: true, dtmf: true, incoming: true, reportsByHand: false };
  readonly #settings: Settings;
  readonly #speaker: Speaker;
  #agent: SipUserAgent | null = null;
  #registration: Registration = 'starting';
  #microphone: 'asking' | 'usable' | Trouble = 'asking';
  #call: SipCall | null = null;
  /** A call whose microphone is being opened: it can be ended already. */
  #pending: object | null = null;
  #stream: MediaStream | null = null;
  #noAnswer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;
  readonly #checkAgain = () => void this.#checkMicrophone();

  constructor(settings: Settings) {
    super();
    this.#settings = settings;
    this.#speaker = new Speaker(() => {
      this.emit('problem', 'The browser plays no sound yet: click anywhere on this page to hear the other side.');
    });
  }

  get line(): PhoneLine {
    if (!isUsable()) return insecure;
    if (typeof this.#microphone === 'object') return this.#microphone;
    if (typeof this.#registration === 'object') return this.#registration;
    return this.#microphone === 'usable' && this.#registration === 'registered' ? { state: 'ready' } : { state: 'starting' };
  }

  get dialog(): PhoneDialog | null {
    return this.#call?.dialog ?? null;
  }

  start(): void {
    this.#tellLine();
    if (!isUsable()) return;
    navigator.mediaDevices.addEventListener('devicechange', this.#checkAgain);
    void this.#checkMicrophone();
    void this.#register();
  }

  withdraw(): void {
    this.#agent?.withdraw();
  }

  stop(): void {
    this.#letGo((agent) => agent.stop());
  }

  abandon(): void {
    this.#letGo((agent) => agent.abandon());
  }

  dial(phoneNumber: string): void {
    const withinMs = this.#settings.no_answer_seconds * 1000;
    void this.#place(withinMs, (agent, stream) => agent.dial(phoneNumber, stream, this.#listener()));
  }

  takeOver(dialog: PhoneDialog): void {
    void this.#place(takeOverWithinMs, (agent, stream) => agent.replace(dialog, stream, this.#listener()));
  }

  answer(): void {
    const call = this.#call;
    if (call === null || this.#stream !== null) return;
    void this.#open().then((stream) => {
      if (this.#call !== call) return;
      if (stream === null) call.reject('no_microphone');
      else call.answer(stream);
    });
  }

  reject(why?: 'busy'): void {
    this.#call?.reject(why === 'busy' ? 'decline_busy' : 'decline');
  }

  hangUp(): void {
    if (this.#pending !== null) {
      this.#pending = null;
      this.#end({ reason: 'canceled', endedBy: 'agent' });
    } else this.#call?.hangUp();
  }

  setMuted(isMuted: boolean): void {
    if (this.#call?.dialog == null) return;
    this.#call.setMuted(isMuted);
    this.emit('muted', this.#call.isMuted);
  }

  setHeld(isHeld: boolean): void {
    if (this.#call?.dialog != null) this.#call.setHeld(isHeld);
  }

  sendDtmf(tone: string): void {
    if (this.#call?.dialog != null && /^[0-9*#A-D]$/.test(tone)) this.#call.sendDtmf(tone);
  }

  reportAnswered(): void {}
  reportEnded(_end: PhoneEnd): void {}

  async stats(): Promise<PhoneStats | null> {
    return (await this.#call?.stats()) ?? null;
  }

  async #register(): Promise<void> {
    const { wss_url, user, secret, domain, display_name, ice_servers } = this.#settings;
    const wssUrl = new URL(wss_url, location.href.replace(/^http/, 'ws')).href;
    try {
      const { SipUserAgent } = await import('./sip/userAgent.ts');
      if (this.#isStopped) return;
      this.#agent = new SipUserAgent(
        { wssUrl, user, secret, domain, displayName: display_name, iceServers: ice_servers },
        {
          onRegistered: () => this.#become('registered'),
          onDown: () => this.#become(trouble('connection_lost', 'The telephone network cannot be reached. It is tried again by itself.')),
          onRefused: (code) => this.#become(refused(code)),
          onInvite: (call) => this.#beCalled(call),
        },
      );
      this.#agent.start();
    } catch (error) {
      // The settings are no address, or the library could not be loaded.
      const why = error instanceof Error ? error.message : '';
      this.#become({ ...trouble('connection_lost', `The telephone could not be started (${why}). Reload the page.`), retrying: false });
    }
  }

  #become(registration: Registration): void {
    this.#registration = registration;
    this.#tellLine();
  }

  async #checkMicrophone(): Promise<void> {
    // A call has it, and tells by itself.
    if (this.#isStopped || this.#stream !== null || this.#microphone === 'usable') return;
    const stream = await this.#open();
    if (stream !== null && this.#call === null && this.#pending === null) this.#closeMicrophone();
  }

  /** Null: it cannot be used, and the line tells so. */
  async #open(): Promise<MediaStream | null> {
    const microphone = await openMicrophone();
    const isUsableNow = microphone.kind === 'usable';
    this.#microphone = isUsableNow ? 'usable' : { ...trouble('no_microphone', microphone.detail), retrying: false };
    if (!isUsableNow) void this.#awaitPermission();
    this.#stream = isUsableNow ? microphone.stream : null;
    this.#tellLine();
    return this.#stream;
  }

  async #awaitPermission(): Promise<void> {
    const permission = await navigator.permissions.query({ name: 'microphone' }).catch(() => null);
    permission?.addEventListener('change', this.#checkAgain, { once: true });
  }

  /** @param withinMs unanswered for longer, the call is given up */
  async #place(withinMs: number, begin: (agent: SipUserAgent, stream: MediaStream) => SipCall): Promise<void> {
    const mine = {};
    this.#pending = mine;
    const stream = await this.#open();
    if (this.#pending !== mine) return this.#call === null ? this.#closeMicrophone() : undefined;
    this.#pending = null;
    if (stream === null || this.#agent === null) {
      const line = this.line;
      return this.#end({ reason: 'failed', problem: line.state === 'unavailable' ? line.detail : 'The telephone is not ready.' });
    }
    this.#noAnswer = setTimeout(() => this.#call?.hangUp('no_answer'), withinMs);
    this.#call = begin(this.#agent, stream);
  }

  #beCalled(call: SipCall): SipCallListener | null {
    if (this.#call !== null || this.#pending !== null || this.line.state !== 'ready') return null;
    this.#call = call;
    // Whoever listens may decline at once, which is for after the call has been taken in.
    queueMicrotask(() => {
      if (this.#call === call) this.emit('incoming', call.caller);
    });
    return this.#listener();
  }

  #listener(): SipCallListener {
    return {
      onRinging: (hasSound) => void this.emit('ringing', hasSound),
      onConnected: () => {
        clearTimeout(this.#noAnswer);
        this.emit('connected');
      },
      onHeld: (isHeld) => void this.emit('held', isHeld),
      onSound: (stream) => this.#speaker.play(stream),
      onEnded: (end) => this.#end(end),
    };
  }

  #end(end: PhoneEnd): void {
    clearTimeout(this.#noAnswer);
    this.#call = null;
    this.#speaker.silence();
    this.#closeMicrophone();
    this.emit('ended', end);
  }

  #closeMicrophone(): void {
    if (this.#stream !== null) closeMicrophone(this.#stream);
    this.#stream = null;
  }

  #letGo(how: (agent: SipUserAgent) => void): void {
    this.off();
    this.#isStopped = true;
    this.#pending = null;
    clearTimeout(this.#noAnswer);
    if (isUsable()) navigator.mediaDevices.removeEventListener('devicechange', this.#checkAgain);
    if (this.#agent !== null) how(this.#agent);
    this.#agent = null;
    this.#call = null;
    this.#speaker.silence();
    this.#closeMicrophone();
  }

  #tellLine(): void {
    if (!this.#isStopped) this.emit('line', this.line);
  }
}

/** Browsers give microphones to secure pages only. */
function isUsable(): boolean {
  return isSecureContext && 'mediaDevices' in navigator;
}

function trouble(why: Trouble['why'], detail: string): Trouble {
  return { state: 'unavailable', why, detail, retrying: true };
}

function refused(code: number | null): Trouble {
  const told = code === null ? '' : ` (${code})`;
  const isAccount = code !== null && code >= 400 && code < 500;
  const detail = isAccount
    ? `The telephone network refuses your account${told}. Ask your admin to check your SIP user and secret.`
    : `The telephone network does not take your registration now${told}. It is tried again by itself.`;
  return trouble('registration_refused', detail);
}
