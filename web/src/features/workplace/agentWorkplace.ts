import { createStore, type StoreApi } from 'zustand/vanilla';
import { Softphone } from '../../../../src/client/softphone.ts';
import type { AgentStateView } from '../../../../src/contract/agents.ts';
import type { CallView, DispositionRequest } from '../../../../src/contract/calls.ts';
import type {
  CrmScreenPop,
  ListenerJoins,
  Refusal,
  StateSnapshot,
  TransferOffer,
} from '../../../../src/contract/socket.ts';
import type { SessionTelephony } from '../../../../src/contract/telephony.ts';
import { loadAgain } from '../../lib/loadAgain.ts';
import type { IceServers } from '../../lib/sip/iceServers.ts';
import type { KeyValueStore } from '../../lib/sip/pendingHangUps.ts';
import type { Phone, TestStep } from '../../lib/sip/phone.ts';
import type { CallKey, PhoneEnd } from '../../lib/sip/phoneCall.ts';
import { CallController } from './call/callController.ts';
import type { Sounds } from './call/callEffects.ts';
import type { Channel } from './call/tabHandover.ts';
import { type LeftDialogStorage, TabDialogStorage } from './dialogStorage.ts';
import type { ColleagueTransfer, TransferTarget } from './colleagueTransfer.ts';
import type { CallListeners } from './callListeners.ts';
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
  makePhone: (telephony: SessionTelephony, servers: IceServers) => Phone;
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
  /**
   * The page has hung up as it was closed for good: the gateway is to know,
   * though the connection to it is closing, too.
   */
  onLeft: (left: { callId: string; session: string; token: string }) => void;
  onEnd: (how: 'signed_out' | 'left') => void;
};

/** A message that was written longer ago makes no sound. Milliseconds. */
const newForMs = 30_000;

function isOnCall(agent: AgentStateView | null): boolean {
  return agent?.state === 'on_call' || agent?.state === 'reserved';
}

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
  readonly #untoldPops = new Map<string, CrmScreenPop>();
  /** Loaded when a call is first handed on to a colleague. */
  #transfer: ColleagueTransfer | null = null;
  /** Loaded when somebody listens. */
  #listeners: CallListeners | null = null;
  /** The connector of the platform that has the agent. */
  #platform: string | null = null;
  #refusal: Refusal | null = null;
  #isOpening = true;
  #isClosed = false;
  /** The latest. */
  #token: string;
  #hadCall = false;

  constructor(needs: AgentWorkplaceNeeds) {
    this.#needs = needs;
    const { url, token, timers } = needs;
    this.#token = token;
    const changed = () => this.#changed();
    const { tell } = this.#notices;
    const acceptOffer = ({ call_id }: { call_id: string }) =>
      this.#phones.line.state === 'ready' && this.#calls.acceptOffer(call_id);
    const acceptTransfer = (offer: TransferOffer) =>
      this.#phones.line.state === 'ready' && this.#phones.can.incoming && this.#calls.acceptTransfer(offer);
    const admitListener = (joins: ListenerJoins) => this.#admitListener(joins);
    const softphone = new Softphone({ url, token, acceptOffer, acceptTransfer, admitListener });
    this.#softphone = softphone;
    this.#reports = new ProgressReports(softphone, timers, needs.store, changed);
    this.#dialogs = new TabDialogStorage(needs.store);
    this.#phones = new PhoneManager({
      softphone,
      timers,
      changed,
      makePhone: needs.makePhone,
      hasCall: () => this.#calls.hasCall,
      isInUse: () => this.#calls.usesPhone,
      onPhone: (phone) => {
        this.#calls.use(phone);
        this.#transfer?.use(phone);
      },
    });
    const parts = { softphone, reports: this.#reports, phones: this.#phones, dialogs: this.#dialogs };
    const tellLeft = (callId: string) => {
      if (softphone.session !== undefined) needs.onLeft({ callId, session: softphone.session, token: this.#token });
    };
    this.#calls = new CallController({ ...needs, ...parts, tell, tellLeft, changed });
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
    const platform = this.#softphone.agent?.platform ?? null;
    // Whose state a platform sets needs this page's telephone only where that dials.
    const needsPhone = platform?.sets_state !== true || platform.dials_by === 'softphone';
    if (line.state === 'ready' || !needsPhone) await this.#softphone.setReady();
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

  passOn(key: CallKey, to: string): void {
    this.#calls.phoneCallOf(key)?.passOn(to);
  }

  turnToOther(): void {
    // Nor while the gateway looks for a colleague.
    if (this.view().reservedColleague === null) this.#calls.turn();
  }

  rejectOther(): void {
    this.#calls.declineBehind();
  }

  hangUp(): void {
    const { consult, isTransferring } = this.view();
    if (consult?.with === 'colleague' && !isTransferring) this.endConsult();
    else this.#calls.hangUp();
  }

  setMuted(isMuted: boolean): void {
    this.#calls.phoneCall?.setMuted(isMuted);
  }

  setHeld(isHeld: boolean): void {
    this.#calls.phoneCall?.setHeld(isHeld);
  }

  transfer(key: CallKey, to: string): void {
    if (key === this.#calls.key) this.#calls.phoneCall?.transfer(to);
  }

  keepCall(key: CallKey): void {
    if (key === this.#calls.key) this.#calls.phoneCall?.keep();
  }

  async transferTo(key: CallKey, target: TransferTarget, isAskedFirst: boolean): Promise<void> {
    const { ColleagueTransfer: Transfer } = await loadAgain(() => import('./colleagueTransfer.ts'));
    const { call, callKey } = this.view();
    if (call === null || callKey !== key) return;
    if (this.#transfer === null) {
      this.#transfer = new Transfer({
        softphone: this.#softphone,
        call: () => this.#calls.phoneCall,
        way: () => this.#phones.can.transfer,
        changed: () => this.#changed(),
      });
      this.#transfer.use(this.#phones.phone);
    }
    await this.#transfer.start({ id: call.id, key }, target, isAskedFirst);
  }

  consult(key: CallKey, to: string): void {
    if (key === this.#calls.key) this.#calls.phoneCall?.consult(to);
  }

  confer(): void {
    this.#calls.phoneCall?.confer();
  }

  completeConsult(): void {
    this.#calls.phoneCall?.completeConsult();
  }

  endConsult(): void {
    this.#calls.phoneCall?.endConsult();
  }

  sendDtmf(tone: string): void {
    this.#calls.phoneCall?.sendDtmf(tone);
  }

  testCall(onStep: (step: TestStep) => void): () => void {
    const { phone } = this.#phones;
    if (phone !== null) return phone.test(onStep);
    onStep({ step: 'over', quality: null, end: null });
    return () => undefined;
  }

  reportAnswered(): void {
    if (this.#calls.state.phase === 'dialing') this.#calls.phoneCall?.reportAnswered();
  }

  reportEnded(end: PhoneEnd): void {
    this.#calls.phoneCall?.reportEnded(end);
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

  async acknowledgeMessage(messageId: string): Promise<void> {
    await this.#softphone.acknowledgeMessage(messageId);
  }

  takeOver(): void {
    this.#connect();
  }

  dismissNotice(id: number): void {
    this.#notices.dismiss(id);
  }

  async renewToken(token: string): Promise<void> {
    this.#token = token;
    if (this.#softphone.line === 'refused') await this.#softphone.connect(undefined, token);
    else await this.#softphone.renewToken(token);
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

  close({ isForGood = false } = {}): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#transfer?.stop();
    this.#calls.leave();
    this.#reports.flush();
    this.#watch.stop();
    this.#calls.close(isForGood);
    this.#phones.close();
    this.#softphone.close();
    this.#softphone.off();
    this.#needs.onEnd('left');
  }

  /** Whether leaving the page now might cost the agent a call, or the record how one went. */
  get isNeeded(): boolean {
    return this.#reports.isBehind || (this.#calls.hasCall && !this.#phones.can.reportsByHand);
  }

  async #admitListener(joins: ListenerJoins): Promise<string | null> {
    const { CallListeners: Listeners } = await loadAgain(() => import('./callListeners.ts'));
    if (this.#isClosed) return null;
    this.#listeners ??= new Listeners({
      softphone: this.#softphone,
      call: () => this.#calls.phoneCall,
      callId: () => this.view().call?.id ?? null,
      changed: () => this.#changed(),
    });
    return this.#listeners.admit(joins);
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
    softphone.on('agent', ({ platform }) => {
      // Whether the platform that sets the state now can be asked for one.
      if (platform?.sets_state === true && platform.connector !== this.#platform) void this.#phones.read();
      this.#platform = platform?.connector ?? null;
      this.#changed();
    });
    softphone.on('call', (call) => {
      this.#calls.hear(call);
      this.#changed();
    });
    softphone.on('pop', (pop) => {
      // Whoever calls beside a talk is shown to others when the agent talks to them.
      if (this.#calls.isBehind(pop.call_id)) this.#untoldPops.set(pop.call_id, pop);
      else this.#tellPop(pop);
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
    softphone.on('message', ({ created_at: at }) => {
      this.#changed();
      // One that has waited for the agent is seen with the page; whoever is speaking, anywhere, is not disturbed.
      const isNew = softphone.now() - Date.parse(at) < newForMs;
      if (isNew && !this.#calls.hasCall && !isOnCall(softphone.agent)) this.#needs.sounds.chime();
    });
    softphone.on('messageClosed', () => this.#changed());
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

  #tellPop(pop: CrmScreenPop): void {
    for (const listener of this.#popListeners) listener(pop);
  }

  /** Who has called beside a talk, and is talked to now; those who are gone are not told of. */
  #tellOfTurn({ pop: shown }: WorkplaceView): void {
    for (const [callId, pop] of this.#untoldPops) {
      if (this.#calls.isBehind(callId)) continue;
      this.#untoldPops.delete(callId);
      if (shown?.call_id === callId && this.#calls.hasCall) this.#tellPop(pop);
    }
  }

  #changed(): void {
    if (this.#isClosed) return;
    const hadCall = this.#hadCall;
    this.#hadCall = this.#calls.hasCall;
    if (this.#hadCall && !hadCall) this.#notices.forgetCalls();
    if (!this.#calls.hasCall && this.#softphone.line === 'connected') this.#phones.fill();
    if (this.#softphone.line === 'connected') this.#watch.look(this.#phones.line);
    this.#calls.phoneChanged();
    const view = this.#select();
    this.#tellOfTurn(view);
    this.#view.setState(view, true);
  }

  #select(): WorkplaceView {
    const { line, ...seen } = selectView(
      {
        softphone: this.#softphone,
        call: this.#calls.state,
        behind: this.#calls.behind,
        isTurning: this.#calls.isTurning,
        phones: this.#phones,
        reports: this.#reports,
      },
      { refusal: this.#refusal, notice: this.#notices.getState().notice },
      this.#softphone.now() - this.#needs.timers.now(),
    );
    return {
      ...seen,
      line: this.#isOpening ? 'connecting' : line,
      reservedColleague: this.#transfer?.colleague ?? null,
      turnedAway: this.#calls.turnedAway,
      listeners: this.#listeners?.shown ?? [],
    };
  }
}
