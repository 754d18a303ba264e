import { createStore, type StoreApi } from 'zustand/vanilla';
import { Softphone } from '../../../../src/client/softphone.ts';
import type { CallView, DispositionRequest } from '../../../../src/contract/calls.ts';
import type { CrmScreenPop, Refusal, StateSnapshot } from '../../../../src/contract/socket.ts';
import type { SessionTelephony } from '../../../../src/contract/telephony.ts';
import type { KeyValueStore } from '../../lib/sip/pendingHangUps.ts';
import type { Phone, PhoneEnd, PhoneStats } from '../../lib/sip/phone.ts';
import { CallController } from './call/callController.ts';
import type { Sounds } from './call/callEffects.ts';
import { usesPhone } from './call/callState.ts';
import type { Channel } from './call/tabHandover.ts';
import { type LeftDialogStorage, TabDialogStorage } from './dialogStorage.ts';
import { createNotices } from './notices.ts';
import { PhoneManager } from './phoneManager.ts';
import { PhoneWatch } from './phoneWatch.ts';
import { ProgressReports } from './progressReports.ts';
import { selectView } from './selectView.ts';
import type { Timers } from './timers.ts';
import { CannotNow, type DialOptions, type Workplace, type WorkplaceView } from './workplace.ts';

/** What a workplace is given of the page that it is in. */
export type AgentWorkplaceNeeds = {
  /** Where the gateway is, e.g. `https://gateway.example.com`. */
  url: string;
  /** From the log-in. */
  token: string;
  /** Finds the session of the page before this one in the same tab. */
  session: () => Promise<string | undefined>;
  makePhone: (telephony: SessionTelephony) => Phone;
  /** Of this tab, for the page that follows this one in it. */
  store: KeyValueStore;
  /** Of the agent's pages in all tabs of this browser. */
  left: LeftDialogStorage;
  /** Reaches the other tabs of this browser; null: there is no way. */
  channel: Channel | null;
  timers: Timers;
  sounds: Sounds;
  /** Called with the session that this page has now. */
  onSession: (session: string) => void;
  onEnd: (how: 'signed_out' | 'left') => void;
};

/** See `Workplace`. Knows nothing of a browser: whatever is of the page is given. */
export class AgentWorkplace implements Workplace {
  readonly #needs: AgentWorkplaceNeeds;
  readonly #softphone: Softphone;
  readonly #reports: ProgressReports;
  readonly #dialogs: TabDialogStorage;
  readonly #phones: PhoneManager;
  readonly #calls: CallController;
  readonly #watch: PhoneWatch;
  readonly #notices = createNotices();
  readonly #view: StoreApi<WorkplaceView>;
  readonly #popListeners = new Set<(pop: CrmScreenPop) => void>();
  #refusal: Refusal | null = null;
  #isOpening = true;
  #isClosed = false;

  constructor(needs: AgentWorkplaceNeeds) {
    this.#needs = needs;
    const { url, token, timers } = needs;
    const changed = () => this.#changed();
    const { tell } = this.#notices;
    const acceptOffer = ({ call_id }: { call_id: string }) => this.#phones.line.state === 'ready' && this.#calls.acceptOffer(call_id);
    const softphone = new Softphone({ url, token, acceptOffer });
    this.#softphone = softphone;
    this.#reports = new ProgressReports(softphone, timers, needs.store, changed);
    this.#dialogs = new TabDialogStorage(needs.store);
    this.#phones = new PhoneManager({
      softphone,
      timers,
      changed,
      makePhone: needs.makePhone,
      hasCall: () => this.#calls.hasCall,
      isInUse: () => usesPhone(this.#calls.state),
      onPhone: (phone) => this.#calls.use(phone),
    });
    const parts = { softphone, reports: this.#reports, phones: this.#phones, dialogs: this.#dialogs };
    this.#calls = new CallController({ ...needs, ...parts, tell, changed });
    this.#watch = new PhoneWatch({ softphone, timers, tell });
    this.#view = createStore(() => this.#select());
    this.#notices.subscribe(changed);
    this.#listen();
  }

  /** Connects. */
  async start(): Promise<void> {
    const session = await this.#needs.session();
    if (session === undefined) this.#dialogs.doubt();
    if (!this.#isClosed) this.#connect(session);
  }

  /** A line that waits for its next try is tried now. */
  hurry(): void {
    // Whether it came is in the view.
    if (this.#softphone.line === 'reconnecting') this.#softphone.connect().catch(() => {});
  }

  view(): WorkplaceView {
    return this.#view.getState();
  }

  subscribe(listener: () => void): () => void {
    return this.#view.subscribe(() => listener());
  }

  onPop(listener: (pop: CrmScreenPop) => void): () => void {
    this.#popListeners.add(listener);
    return () => this.#popListeners.delete(listener);
  }

  now(): number {
    return this.#softphone.now();
  }

  async setReady(): Promise<void> {
    const { line } = this.#phones;
    if (line.state === 'ready') await this.#softphone.setReady();
    else this.#notices.tell('problem', { code: 'cannot_go_ready', line });
  }

  async setNotReady(reason?: string): Promise<void> {
    await this.#softphone.setNotReady(reason);
  }

  async dial(phoneNumber: string, options?: DialOptions): Promise<CallView> {
    const { line } = this.#phones;
    if (line.state !== 'ready') throw new CannotNow(line);
    return this.#calls.dial(phoneNumber, options);
  }

  answer(): void {
    this.#calls.answer();
  }

  reject(): void {
    this.#calls.decline();
  }

  hangUp(): void {
    this.#calls.hangUp();
  }

  setMuted(isMuted: boolean): void {
    this.#phones.phone?.setMuted(isMuted);
  }

  setHeld(isHeld: boolean): void {
    this.#phones.phone?.setHeld(isHeld);
  }

  transfer(to: string): void {
    this.#phones.phone?.transfer(to);
  }

  sendDtmf(tone: string): void {
    this.#phones.phone?.sendDtmf(tone);
  }

  reportAnswered(): void {
    if (this.#calls.state.phase === 'dialing') this.#phones.phone?.reportAnswered();
  }

  reportEnded(end: PhoneEnd): void {
    this.#phones.phone?.reportEnded(end);
  }

  async extendWrapUp(callId: string): Promise<void> {
    await this.#softphone.extendWrapUp(callId);
  }

  async submitDisposition(callId: string, disposition: DispositionRequest): Promise<void> {
    await this.#softphone.submitDisposition(callId, disposition);
  }

  async chooseRecord(callId: string, record: { object: string; id: string }): Promise<void> {
    await this.#softphone.chooseRecord(callId, record);
  }

  takeOver(): void {
    this.#connect();
  }

  dismissNotice(id: number): void {
    this.#notices.dismiss(id);
  }

  async renewToken(token: string): Promise<void> {
    if (this.#softphone.line === 'refused') await this.#softphone.connect(undefined, token);
    else await this.#softphone.renewToken(token);
  }

  async stats(): Promise<PhoneStats | null> {
    return (await this.#phones.phone?.stats()) ?? null;
  }

  async signOut(): Promise<void> {
    if (this.#calls.hasCall) throw new CannotNow('hang_up_first');
    // A supervisor may have done it, or the answer to the first try was lost.
    const isOut = this.#softphone.agent?.state === 'offline';
    // Without a line the gateway logs the agent out by itself, after its grace.
    if (this.#softphone.line === 'connected' && !isOut) await this.#softphone.signOut();
    else this.#softphone.close();
    this.#phones.empty('stop');
    this.#needs.onEnd('signed_out');
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#calls.leave();
    this.#reports.flush();
    this.#watch.stop();
    this.#calls.close();
    this.#phones.close();
    this.#softphone.close();
    this.#softphone.off();
    this.#needs.onEnd('left');
  }

  /** Whether leaving the page now might cost the agent a call, or the record how one went. */
  get isNeeded(): boolean {
    return this.#reports.isBehind || (this.#calls.hasCall && !this.#phones.can.reportsByHand);
  }

  #connect(session?: string): void {
    this.#isOpening = false;
    this.#calls.takeBack();
    // Why it was refused is in the view.
    this.#softphone.connect(session).catch(() => {});
  }

  #listen(): void {
    const softphone = this.#softphone;
    softphone.on('line', (line, refusal) => this.#takeLine(line, refusal));
    softphone.on('snapshot', (snapshot) => this.#takeSnapshot(snapshot));
    softphone.on('agent', () => this.#changed());
    softphone.on('call', (call) => {
      this.#calls.hear(call);
      this.#changed();
    });
    softphone.on('pop', (pop) => {
      for (const listener of this.#popListeners) listener(pop);
      this.#changed();
    });
    softphone.on('popClosed', (callId) => {
      this.#calls.withdrawOffer(callId);
      this.#changed();
    });
    softphone.on('popChanged', () => this.#changed());
    softphone.on('dial', (offer) => this.#calls.confirmDial(offer));
    softphone.on('taskDue', () => {
      this.#changed();
      // Whoever is speaking sees it, and is not disturbed.
      if (!this.#calls.hasCall) this.#needs.sounds.chime();
    });
    softphone.on('taskClosed', () => this.#changed());
    softphone.on('settingsChanged', () => void this.#phones.read());
  }

  #takeLine(line: WorkplaceView['line'], refusal: Refusal | undefined): void {
    this.#refusal = refusal ?? null;
    if (line === 'replaced') {
      this.#reports.drop();
      this.#watch.stop();
      this.#calls.beReplaced();
    } else if (line === 'refused') this.#phones.retire();
    this.#changed();
  }

  #takeSnapshot(snapshot: StateSnapshot): void {
    this.#needs.onSession(snapshot.session);
    this.#calls.resync(snapshot.agent);
    this.#reports.resume();
    this.#calls.checkOrphans();
    void this.#phones.read();
    this.#changed();
  }

  #changed(): void {
    if (this.#isClosed) return;
    if (!this.#calls.hasCall && this.#softphone.line === 'connected') this.#phones.fill();
    if (this.#softphone.line === 'connected') this.#watch.look(this.#phones.line);
    this.#calls.phoneChanged();
    this.#view.setState(this.#select(), true);
  }

  #select(): WorkplaceView {
    const { line, ...seen } = selectView(
      { softphone: this.#softphone, call: this.#calls.state, phones: this.#phones, reports: this.#reports },
      { refusal: this.#refusal, notice: this.#notices.getState().notice },
      this.#softphone.now() - this.#needs.timers.now(),
    );
    return { ...seen, line: this.#isOpening ? 'connecting' : line };
  }
}
