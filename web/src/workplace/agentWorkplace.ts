import { Softphone } from '../../../src/client/softphone.ts';
import type { CallView, DispositionRequest } from '../../../src/contract/calls.ts';
import type { CrmScreenPop, Refusal, StateSnapshot } from '../../../src/contract/socket.ts';
import type { SessionTelephony } from '../../../src/contract/telephony.ts';
import type { Phone, PhoneDialog, PhoneEnd, PhoneLine, PhoneStats } from '../phone/phone.ts';
import { KeptDialog, type KeyValueStore } from './keptDialog.ts';
import { Handover, type Channel } from './handover.ts';
import { PhoneSlot } from './phoneSlot.ts';
import { PhoneWatch } from './phoneWatch.ts';
import { ProgressReports } from './progressReports.ts';
import { recoverCall } from './recovery.ts';
import type { Timers } from './timers.ts';
import { shownCall, shownPop } from './shownCall.ts';
import type { Sounds } from './voice.ts';
import { cannotDial, VoiceDesk } from './voiceDesk.ts';
import type { Workplace, WorkplaceNotice, WorkplaceView } from './workplace.ts';

export type AgentWorkplaceNeeds = {
  /** Where the gateway is, e.g. `https://gateway.example.com`. */
  url: string;
  /** From the log-in. */
  token: string;
  /** Finds the session of the page before this one in the same tab. */
  session: () => Promise<string | undefined>;
  makePhone: (telephony: SessionTelephony) => Phone;
  store: KeyValueStore;
  /** Reaches the other tabs of this browser; null: there is no way. */
  channel: Channel | null;
  timers: Timers;
  sounds: Sounds;
  /** Called with the session that this page has now. */
  onSession: (session: string) => void;
  onEnd: (how: 'signed_out' | 'left') => void;
};

/** A tab that was taken over keeps the voice this long for whoever fetches it. Milliseconds. */
const keepVoiceMs = 5_000;

/** See `Workplace`. Knows nothing of a browser: whatever is of the page is given. */
export class AgentWorkplace implements Workplace {
  readonly #needs: AgentWorkplaceNeeds;
  readonly #softphone: Softphone;
  readonly #reports: ProgressReports;
  readonly #desk: VoiceDesk;
  readonly #slot: PhoneSlot;
  readonly #watch: PhoneWatch;
  readonly #kept: KeptDialog;
  readonly #handover: Handover | null;
  readonly #listeners = new Set<() => void>();
  readonly #popListeners = new Set<(pop: CrmScreenPop) => void>();
  #view: WorkplaceView | null = null;
  #refusal: Refusal | null = null;
  #notice: WorkplaceNotice | null = null;
  #notices = 0;
  #isOpening = true;
  #isClosed = false;
  #cancelKeeping: (() => void) | null = null;
  #clockOffsetMs = 0;

  constructor(needs: AgentWorkplaceNeeds) {
    this.#needs = needs;
    const { url, token, timers, sounds, makePhone } = needs;
    const acceptOffer = () => this.#slot.line.state === 'ready' && this.#desk.voice === null;
    const softphone = new Softphone({ url, token, acceptOffer });
    this.#softphone = softphone;
    this.#reports = new ProgressReports(softphone, timers);
    this.#kept = new KeptDialog(needs.store);
    const tell = (kind: WorkplaceNotice['kind'], text: string) => this.#tell(kind, text);
    const changed = () => this.#changed();
    this.#desk = new VoiceDesk({ softphone, reports: this.#reports, timers, kept: this.#kept, sounds, tell, changed });
    this.#slot = new PhoneSlot({ softphone, desk: this.#desk, timers, makePhone, changed });
    this.#watch = new PhoneWatch({ softphone, timers, tell });
    this.#handover = needs.channel === null ? null : new Handover(needs.channel, timers, (callId) => this.#desk.give(callId));
    this.#listen();
  }

  /** Connects. */
  async start(): Promise<void> {
    const session = await this.#needs.session();
    if (!this.#isClosed) this.#connect(session);
  }

  view(): WorkplaceView {
    this.#view ??= this.#look();
    return this.#view;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onPop(listener: (pop: CrmScreenPop) => void): () => void {
    this.#popListeners.add(listener);
    return () => this.#popListeners.delete(listener);
  }

  now(): number {
    return this.#needs.timers.now() + this.#clockOffsetMs;
  }

  async setReady(): Promise<void> {
    const { line } = this.#slot;
    if (line.state === 'ready') await this.#softphone.setReady();
    else this.#tell('problem', `You cannot go Ready. ${detailOf(line)}`);
  }

  async setNotReady(reason?: string): Promise<void> {
    await this.#softphone.setNotReady(reason);
  }

  async dial(phoneNumber: string): Promise<CallView> {
    const { line } = this.#slot;
    if (line.state !== 'ready') throw cannotDial(detailOf(line));
    if (this.#desk.voice !== null) throw cannotDial('There is a call already.');
    try {
      return await this.#desk.dialByHand(phoneNumber);
    } catch (error) {
      // It may have been begun, though the answer was lost.
      this.#recoverUnknown();
      throw error;
    }
  }

  answer(): void {
    this.#desk.answer();
  }

  reject(): void {
    this.#desk.reject();
  }

  hangUp(): void {
    const { call } = this.#softphone;
    if (this.#desk.voice !== null) this.#desk.hangUp();
    else if (call !== null && call.state !== 'ended' && !this.#reports.isEnding(call.id)) {
      const reason = call.answered_at === null ? 'canceled' : 'completed';
      this.#reports.add(call.id, { state: 'ended', end: { reason, endedBy: 'agent' } });
    }
  }

  setMuted(isMuted: boolean): void {
    this.#slot.phone?.setMuted(isMuted);
  }

  setHeld(isHeld: boolean): void {
    this.#slot.phone?.setHeld(isHeld);
  }

  sendDtmf(tone: string): void {
    this.#slot.phone?.sendDtmf(tone);
  }

  reportAnswered(): void {
    if (this.#desk.voice?.phase === 'outgoing') this.#slot.phone?.reportAnswered();
  }

  reportEnded(end: PhoneEnd): void {
    if (this.#desk.voice !== null) this.#slot.phone?.reportEnded(end);
  }

  async submitDisposition(callId: string, disposition: DispositionRequest): Promise<void> {
    await this.#softphone.submitDisposition(callId, disposition);
  }

  takeOver(): void {
    this.#connect();
  }

  dismissNotice(id: number): void {
    if (this.#notice?.id !== id) return;
    this.#notice = null;
    this.#changed();
  }

  async renewToken(token: string): Promise<void> {
    await this.#softphone.renewToken(token);
  }

  async stats(): Promise<PhoneStats | null> {
    return (await this.#slot.phone?.stats()) ?? null;
  }

  async signOut(): Promise<void> {
    if (this.#desk.voice !== null) return this.#tell('problem', 'Hang up before you log out.');
    await this.#softphone.signOut();
    this.#slot.empty('stop');
    this.#needs.onEnd('signed_out');
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#reports.drop();
    this.#watch.stop();
    const isTalking = this.#desk.voice !== null;
    this.#desk.forget();
    this.#slot.close(isTalking ? 'abandon' : 'stop');
    this.#handover?.close();
    this.#softphone.close();
    this.#softphone.off();
    this.#needs.onEnd('left');
  }

  /** Whether leaving the page now would cost the agent a call. */
  get isTalking(): boolean {
    return this.#desk.voice !== null && !this.view().can.reportsByHand;
  }

  #connect(session?: string): void {
    this.#isOpening = false;
    if (this.#desk.voice?.isGiven === true) this.#letGo();
    this.#cancelKeeping?.();
    this.#cancelKeeping = null;
    // Why it was refused is in the view.
    this.#softphone.connect(session).catch(() => {});
  }

  #listen(): void {
    const softphone = this.#softphone;
    softphone.on('line', (line, refusal) => this.#takeLine(line, refusal));
    softphone.on('snapshot', (snapshot) => this.#takeSnapshot(snapshot));
    softphone.on('agent', () => this.#changed());
    softphone.on('call', (call) => {
      if (call.state === 'ended') this.#desk.endedByGateway(call.id);
      this.#changed();
    });
    softphone.on('pop', (pop) => {
      for (const listener of this.#popListeners) listener(pop);
      this.#changed();
    });
    softphone.on('popClosed', () => this.#changed());
    softphone.on('dial', (offer) => this.#desk.dial(offer.call_id, offer.phone_number));
    softphone.on('settingsChanged', () => void this.#slot.read());
  }

  #takeLine(line: WorkplaceView['line'], refusal: Refusal | undefined): void {
    this.#refusal = refusal ?? null;
    if (line === 'replaced') this.#standDown();
    else if (line === 'refused') this.#slot.retire();
    this.#changed();
  }

  #takeSnapshot(snapshot: StateSnapshot): void {
    this.#clockOffsetMs = Date.parse(snapshot.server_time) - this.#needs.timers.now();
    this.#needs.onSession(snapshot.session);
    const callId = this.#desk.voice?.callId ?? null;
    if (callId !== null && snapshot.agent.call_id !== callId) this.#desk.endedByGateway(callId);
    this.#reports.resume();
    this.#recoverUnknown();
    void this.#slot.read();
    this.#changed();
  }

  /** A call that this page knows nothing of: it is fetched, or ended where there is nothing to fetch. */
  #recoverUnknown(): void {
    const { call } = this.#softphone;
    if (call === null || call.state === 'ended' || call.state === 'queued' || this.#reports.isEnding(call.id)) return;
    if (this.#desk.voice !== null) return void this.#desk.adopt(call);
    const ask = (callId: string): Promise<PhoneDialog | null> => this.#handover?.ask(callId) ?? Promise.resolve(null);
    const change = () =>
      new Promise<void>((resolve) => {
        const end = this.subscribe(() => {
          end();
          resolve();
        });
      });
    const { timers } = this.#needs;
    void recoverCall({ desk: this.#desk, kept: this.#kept, timers, ask, phone: () => this.#slot.phone, change }, call);
  }

  /** Another softphone of this agent has taken over; it may fetch the voice. */
  #standDown(): void {
    this.#reports.drop();
    this.#watch.stop();
    if (this.#desk.voice?.phase !== 'connected') return this.#letGo();
    this.#slot.retire();
    this.#cancelKeeping = this.#needs.timers.after(keepVoiceMs, () => this.#letGo());
  }

  #letGo(): void {
    this.#cancelKeeping?.();
    this.#cancelKeeping = null;
    const isGiven = this.#desk.voice?.isGiven === true;
    this.#desk.forget();
    if (!isGiven) this.#kept.forget();
    this.#slot.empty(isGiven ? 'abandon' : 'stop');
    this.#changed();
  }

  #tell(kind: WorkplaceNotice['kind'], text: string): void {
    this.#notices += 1;
    this.#notice = { id: this.#notices, kind, text };
    this.#changed();
  }

  #changed(): void {
    if (this.#isClosed) return;
    this.#view = null;
    if (this.#cancelKeeping !== null && this.#desk.voice === null) this.#letGo();
    if (this.#desk.voice === null && this.#softphone.line === 'connected') this.#slot.fill();
    if (this.#softphone.line === 'connected') this.#watch.look(this.#slot.line);
    for (const listener of this.#listeners) listener();
  }

  #look(): WorkplaceView {
    const { agent, call, pop, line } = this.#softphone;
    const { voice } = this.#desk;
    return {
      line: this.#isOpening ? 'connecting' : line,
      refusal: this.#refusal,
      agent,
      settings: this.#slot.settings,
      call: shownCall(call, voice, agent),
      pop: shownPop(pop, call, agent),
      phone: this.#slot.line,
      can: this.#slot.can,
      caller: voice?.phase === 'incoming' ? voice.caller : null,
      isMuted: voice?.isMuted ?? false,
      isHeld: voice?.isHeld ?? false,
      isRecovering: voice?.phase === 'recovering',
      notice: this.#notice,
    };
  }
}

function detailOf(line: PhoneLine): string {
  return line.state === 'unavailable' ? line.detail : 'Your telephone is still starting.';
}
