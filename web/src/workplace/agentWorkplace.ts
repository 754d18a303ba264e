import { Softphone } from '../../../src/client/softphone.ts';
import type { CallView, DispositionRequest } from '../../../src/contract/calls.ts';
import type { CrmScreenPop, Refusal, StateSnapshot } from '../../../src/contract/socket.ts';
import type { PhoneEnd, PhoneLine, PhoneStats } from '../phone/phone.ts';
import type { AgentWorkplaceNeeds } from './agentWorkplaceNeeds.ts';
import { AwaitedRing } from './awaitedRing.ts';
import { KeptDialog } from './keptDialog.ts';
import { look } from './look.ts';
import { NoticeBoard } from './noticeBoard.ts';
import { PhoneSlot } from './phoneSlot.ts';
import { PhoneWatch } from './phoneWatch.ts';
import { ProgressReports } from './progressReports.ts';
import { StandDown } from './standDown.ts';
import { UnknownCalls } from './unknownCalls.ts';
import { cannotNow, VoiceDesk } from './voiceDesk.ts';
import type { Workplace, WorkplaceView } from './workplace.ts';

/** See `Workplace`. Knows nothing of a browser: whatever is of the page is given. */
export class AgentWorkplace implements Workplace {
  readonly #needs: AgentWorkplaceNeeds;
  readonly #softphone: Softphone;
  readonly #reports: ProgressReports;
  readonly #kept: KeptDialog;
  readonly #awaited: AwaitedRing;
  readonly #desk: VoiceDesk;
  readonly #slot: PhoneSlot;
  readonly #watch: PhoneWatch;
  readonly #standDown: StandDown;
  readonly #unknown: UnknownCalls;
  readonly #board: NoticeBoard;
  readonly #popListeners = new Set<(pop: CrmScreenPop) => void>();
  #view: WorkplaceView | null = null;
  #refusal: Refusal | null = null;
  #isOpening = true;
  #isClosed = false;

  constructor(needs: AgentWorkplaceNeeds) {
    this.#needs = needs;
    const { url, token, timers, sounds, makePhone, channel, left } = needs;
    const changed = () => this.#changed();
    this.#board = new NoticeBoard(changed);
    const tell: NoticeBoard['tell'] = (kind, text) => this.#board.tell(kind, text);
    const acceptOffer = ({ call_id }: { call_id: string }) => this.#slot.line.state === 'ready' && this.#desk.acceptOffer(call_id);
    const softphone = new Softphone({ url, token, acceptOffer });
    const reports = new ProgressReports(softphone, timers, needs.store, changed);
    const kept = new KeptDialog(needs.store);
    const fetched = (callId: string, isHere: boolean) => this.#standDown.settle(callId, isHere);
    const awaited = new AwaitedRing({ reports, timers, changed });
    const desk = new VoiceDesk({ softphone, reports, timers, kept, sounds, tell, changed, fetched, awaited });
    const slot = new PhoneSlot({ softphone, desk, timers, makePhone, changed });
    const standDown = new StandDown({ softphone, desk, slot, kept, timers, channel, changed });
    const ask = (callId: string) => standDown.ask(callId);
    this.#softphone = softphone;
    this.#reports = reports;
    this.#kept = kept;
    this.#awaited = awaited;
    this.#desk = desk;
    this.#slot = slot;
    this.#standDown = standDown;
    this.#watch = new PhoneWatch({ softphone, timers, tell });
    this.#unknown = new UnknownCalls({ softphone, desk, reports, slot, kept, left, awaited, timers, ask, change: () => this.#board.nextChange() });
    this.#listen();
  }

  /** Connects. */
  async start(): Promise<void> {
    const session = await this.#needs.session();
    if (session === undefined) this.#kept.doubt();
    if (!this.#isClosed) this.#connect(session);
  }

  /** A line that waits for its next try is tried now. */
  hurry(): void {
    // Whether it came is in the view.
    if (this.#softphone.line === 'reconnecting') this.#softphone.connect().catch(() => {});
  }

  view(): WorkplaceView {
    if (this.#view === null) {
      const { line, ...seen } = look(
        { softphone: this.#softphone, desk: this.#desk, slot: this.#slot, reports: this.#reports, awaited: this.#awaited },
        { refusal: this.#refusal, notice: this.#board.notice },
        this.#softphone.now() - this.#needs.timers.now(),
      );
      this.#view = { ...seen, line: this.#isOpening ? 'connecting' : line };
    }
    return this.#view;
  }

  subscribe(listener: () => void): () => void {
    return this.#board.subscribe(listener);
  }

  onPop(listener: (pop: CrmScreenPop) => void): () => void {
    this.#popListeners.add(listener);
    return () => this.#popListeners.delete(listener);
  }

  now(): number {
    return this.#softphone.now();
  }

  async setReady(): Promise<void> {
    const { line } = this.#slot;
    if (line.state === 'ready') await this.#softphone.setReady();
    else this.#board.tell('problem', `You cannot go Ready. ${detailOf(line)}`);
  }

  async setNotReady(reason?: string): Promise<void> {
    await this.#softphone.setNotReady(reason);
  }

  async dial(phoneNumber: string): Promise<CallView> {
    const { line } = this.#slot;
    if (line.state !== 'ready') throw cannotNow(detailOf(line));
    if (this.#desk.voice !== null) throw cannotNow('There is a call already.');
    try {
      return await this.#desk.dialByHand(phoneNumber);
    } catch (error) {
      // It may have been begun, though the answer was lost.
      this.#unknown.look();
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
      this.#awaited.forget();
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

  async extendWrapUp(callId: string): Promise<void> {
    await this.#softphone.extendWrapUp(callId);
  }

  async submitDisposition(callId: string, disposition: DispositionRequest): Promise<void> {
    await this.#softphone.submitDisposition(callId, disposition);
  }

  takeOver(): void {
    this.#connect();
  }

  dismissNotice(id: number): void {
    this.#board.dismiss(id);
  }

  async renewToken(token: string): Promise<void> {
    if (this.#softphone.line === 'refused') await this.#softphone.connect(undefined, token);
    else await this.#softphone.renewToken(token);
  }

  async stats(): Promise<PhoneStats | null> {
    return (await this.#slot.phone?.stats()) ?? null;
  }

  async signOut(): Promise<void> {
    if (this.#desk.voice !== null) throw cannotNow('Hang up before you sign out.');
    // A supervisor may have done it, or the answer to the first try was lost.
    const isOut = this.#softphone.agent?.state === 'offline';
    // Without a line the gateway logs the agent out by itself, after its grace.
    if (this.#softphone.line === 'connected' && !isOut) await this.#softphone.signOut();
    else this.#softphone.close();
    this.#slot.empty('stop');
    this.#needs.onEnd('signed_out');
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#desk.leave();
    this.#awaited.forget();
    this.#reports.flush();
    this.#watch.stop();
    const { voice } = this.#desk;
    // The page after this one finds a call by its id alone.
    const isFound = voice !== null && voice.callId !== null && (voice.phase === 'connected' || voice.isFetching);
    const isLeft = isFound && !this.#standDown.isUnwanted;
    if (isLeft) this.#leave(voice.callId);
    this.#desk.forget();
    this.#slot.close(isLeft ? 'abandon' : 'stop');
    this.#standDown.close();
    this.#softphone.close();
    this.#softphone.off();
    this.#needs.onEnd('left');
  }

  #leave(callId: string | null): void {
    const dialog = callId === null ? null : this.#kept.of(callId);
    if (callId !== null && dialog !== null) this.#needs.left.leave({ callId, dialog }, this.#needs.timers.now());
  }

  /** Whether leaving the page now might cost the agent a call, or the record how one went. */
  get isNeeded(): boolean {
    return this.#reports.isBehind || (this.#desk.voice !== null && !this.#slot.can.reportsByHand);
  }

  #connect(session?: string): void {
    this.#isOpening = false;
    this.#standDown.takeBack();
    // Why it was refused is in the view.
    this.#softphone.connect(session).catch(() => {});
  }

  #listen(): void {
    const softphone = this.#softphone;
    softphone.on('line', (line, refusal) => this.#takeLine(line, refusal));
    softphone.on('snapshot', (snapshot) => this.#takeSnapshot(snapshot));
    softphone.on('agent', () => this.#changed());
    softphone.on('call', (call) => {
      this.#desk.hear(call);
      this.#unknown.hear(call);
      this.#changed();
    });
    softphone.on('pop', (pop) => {
      for (const listener of this.#popListeners) listener(pop);
      this.#changed();
    });
    softphone.on('popClosed', (callId) => {
      this.#desk.forgetOffer(callId);
      this.#changed();
    });
    softphone.on('dial', (offer) => this.#desk.dial(offer.call_id, offer.phone_number));
    softphone.on('settingsChanged', () => void this.#slot.read());
  }

  #takeLine(line: WorkplaceView['line'], refusal: Refusal | undefined): void {
    this.#refusal = refusal ?? null;
    if (line === 'replaced') {
      this.#reports.drop();
      this.#awaited.forget();
      this.#watch.stop();
      this.#standDown.begin();
    } else if (line === 'refused') this.#slot.retire();
    this.#changed();
  }

  #takeSnapshot(snapshot: StateSnapshot): void {
    this.#needs.onSession(snapshot.session);
    this.#desk.resync(snapshot.agent);
    this.#reports.resume();
    this.#unknown.look();
    void this.#slot.read();
    this.#changed();
  }

  #changed(): void {
    if (this.#isClosed) return;
    this.#view = null;
    this.#standDown.look();
    if (this.#desk.voice === null && this.#softphone.line === 'connected') this.#slot.fill();
    if (this.#softphone.line === 'connected') this.#watch.look(this.#slot.line);
    this.#board.announce();
  }
}

function detailOf(line: PhoneLine): string {
  return line.state === 'unavailable' ? line.detail : 'Your telephone is still starting.';
}
