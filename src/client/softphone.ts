import { Emitter } from '@socket.io/component-emitter';
import type { AgentStateView } from '../contract/agents.ts';
import type { CallView, ReportedQuality } from '../contract/calls.ts';
import type {
  ClickToDialOffer,
  ClientAnswers,
  ClientEvent,
  ClientToServerEvents,
  CrmScreenPop,
  ListenerAck,
  ListenerJoins,
  Refusal,
  StateSnapshot,
  TransferEnded,
  TransferOffer,
} from '../contract/socket.ts';
import type { MessageNotice } from '../contract/messages.ts';
import type { TaskView } from '../contract/tasks.ts';
import type { SessionSettings } from '../contract/telephony.ts';
import type { ListeningMode } from '../contract/vocabulary.ts';
import { DueTasks } from './dueTasks.ts';
import { GatewayConnection, type GatewayConnectionOptions, type LineState } from './gatewayConnection.ts';
import { IncomingOffers } from './offers.ts';
import { OwnCalls } from './ownCalls.ts';
import { SoftphoneRefusal } from './refusal.ts';
import { requestedStateToRestore } from './restoreRequestedState.ts';
import { UnreadMessages } from './unreadMessages.ts';

export type { LineState } from './gatewayConnection.ts';
export { crmFields } from './crmFields.ts';
export { SoftphoneRefusal } from './refusal.ts';

export type SoftphoneOptions = GatewayConnectionOptions & {
  /** Decides on an offer before it is acknowledged; false declines, and the agent becomes Not Ready. */
  acceptOffer?: (offer: ClickToDialOffer) => boolean | Promise<boolean>;
  /**
   * Decides whether a call that a colleague hands on may ring at this softphone's telephone;
   * false declines, and the agent becomes Not Ready. Without it colleagues cannot hand calls on to this agent.
   */
  acceptTransfer?: (offer: TransferOffer) => boolean | Promise<boolean>;
  /**
   * A supervisor is to hear a call of this softphone: resolves with the SDP offer of a connection for it, all
   * candidates in it, or with null where that cannot be. `listenerAnswered` follows, or `listenerLeft`. Without it
   * supervisors cannot listen.
   */
  admitListener?: (joins: ListenerJoins) => Promise<string | null>;
};

/** What is known of a call that rings, beside who calls. */
export type ToldRing = Omit<Parameters<ClientToServerEvents['incoming_call']>[0], 'phone_number' | 'display_name'>;

/** What a softphone tells its page. */
export type SoftphoneEvents = {
  line: (state: LineState, refusal?: Refusal) => void;
  snapshot: (snapshot: StateSnapshot) => void;
  agent: (agent: AgentStateView) => void;
  call: (call: CallView) => void;
  /** Show this customer. */
  pop: (pop: CrmScreenPop) => void;
  /**
   * More is known of the customer who is shown, or another record was chosen;
   * or the CRM has told nothing (`looking_up` is gone).
   */
  popChanged: (pop: CrmScreenPop) => void;
  /** Take the pop of this call off the screen: it will not be made. */
  popClosed: (callId: string, reason: string) => void;
  /** Dial now: the click was confirmed and recorded. Comes once per call. */
  dial: (offer: ClickToDialOffer) => void;
  /** The call of a colleague to whom this agent hands a call on is over. */
  transferEnded: (ended: TransferEnded) => void;
  /** The SDP answer of whoever is to listen. */
  listenerAnswered: (answered: { listen_id: string; sdp: string }) => void;
  /** From now on they are in the call in another way. */
  listenerChanged: (changed: { listen_id: string; mode: ListeningMode }) => void;
  /** They are not in the call any more, or will not come. */
  listenerLeft: (listenId: string) => void;
  /** Show this task: it is due. Again, with a higher version, when it was changed; each version comes once. */
  taskDue: (task: TaskView) => void;
  /** Take the task off the screen. */
  taskClosed: (taskId: string) => void;
  /** Show what a supervisor wrote, until its agent has read it or `expires_at` has come; each comes once. */
  message: (message: MessageNotice) => void;
  /** It was read, or taken back: take it off the screen. */
  messageClosed: (messageId: string) => void;
  /** The company's settings or the agent's phone account have changed: read them again. */
  settingsChanged: () => void;
};

/**
 * A dial this long after its offer expired (the connection was down) would surprise agent and customer. Milliseconds.
 */
const staleDialMs = 10_000;

/**
 * An agent's softphone, without a screen and without a phone: it stays connected to the gateway,
 * knows the agent's state, call and screen pop, and says when to dial. Pages, tests and integrations build upon it.
 */
export class Softphone extends Emitter<SoftphoneEvents, SoftphoneEvents> {
  readonly #gateway: GatewayConnection;
  readonly #offers: IncomingOffers;
  readonly #tasks: DueTasks;
  readonly #messages: UnreadMessages;
  #agent: AgentStateView | null = null;
  readonly #calls = new OwnCalls();

  constructor(options: SoftphoneOptions) {
    super();
    const { acceptOffer = () => true, acceptTransfer, admitListener = async () => null } = options;
    const able = { transfers: acceptTransfer !== undefined, listening: options.admitListener !== undefined };
    this.#gateway = new GatewayConnection(
      { ...options, ...able },
      {
        incoming: {
          agent_state_changed: (agent) => this.#hearState(agent),
          call_state_changed: (call) => void this.#learnCall(call),
          crm_screen_pop: (pop, acknowledge) => this.#offers.takePop(pop, acknowledge),
          click_to_dial: (offer, acknowledge) => this.#offers.takeOffer(offer, acknowledge),
          transfer_offer: (offer, acknowledge) => this.#offers.takeTransfer(offer, acknowledge),
          offer_rescinded: ({ call_id, reason }) => this.#offers.drop(call_id, reason),
          transfer_ended: (ended) => void this.emit('transferEnded', ended),
          listener_joins: (joins, acknowledge) => void answerListener(admitListener(joins), acknowledge),
          listener_answered: (answered) => void this.emit('listenerAnswered', answered),
          listener_changed: (changed) => void this.emit('listenerChanged', changed),
          listener_left: ({ listen_id }) => void this.emit('listenerLeft', listen_id),
          task_due: (task) => this.#tasks.show(task),
          task_closed: (closed) => this.#tasks.close(closed),
          message_posted: (message) => this.#messages.show(message),
          message_closed: ({ id }) => this.#messages.close(id),
          settings_changed: () => this.emit('settingsChanged'),
        },
        onState: (state, refusal) => this.emit('line', state, refusal),
        onSnapshot: (snapshot, resumed) => this.#takeSnapshot(snapshot, resumed),
      },
    );
    this.#tasks = new DueTasks({
      onDue: (task) => this.emit('taskDue', task),
      onClosed: (id) => this.emit('taskClosed', id),
    });
    this.#messages = new UnreadMessages({
      onMessage: (message) => this.emit('message', message),
      onClosed: (id) => this.emit('messageClosed', id),
    });
    this.#offers = new IncomingOffers(
      this.#gateway,
      { acceptOffer, acceptTransfer },
      {
        onPop: (pop) => this.emit('pop', pop),
        onPopClosed: (callId, reason) => this.emit('popClosed', callId, reason),
      },
    );
  }

  get line(): LineState {
    return this.#gateway.state;
  }
  /** Null until the first snapshot. */
  get agent(): AgentStateView | null {
    return this.#agent;
  }
  /** The call that the agent is on or wraps up; after it, the last one. */
  get call(): CallView | null {
    return this.#calls.first;
  }
  /** Another one beside it, which rings or was answered. */
  get secondCall(): CallView | null {
    return this.#calls.second;
  }
  get pop(): CrmScreenPop | null {
    return this.#offers.pop;
  }
  /** What popped for that call of the agent's; null: nothing did. */
  popOf(callId: string): CrmScreenPop | null {
    return this.#offers.popOf(callId);
  }
  /** Tasks that are due, in the order in which they were told. */
  get dueTasks(): readonly TaskView[] {
    return this.#tasks.all();
  }
  /** What supervisors wrote and the agent has not read, in the order in which it was told; also what is over by now. */
  get unreadMessages(): readonly MessageNotice[] {
    return this.#messages.all();
  }
  /** Keep it (in the page's session storage) to resume after a reload. */
  get session(): string | undefined {
    return this.#gateway.session;
  }

  /**
   * Connects, or takes the softphone back after `replaced`; one that is connected connects anew, which signs in an
   * agent whom a supervisor has logged out. Resolves with the first snapshot.
   * @param session as in the options, for a page that learns it later
   * @param token of the same agent, after the one before was `refused`
   */
  connect(session?: string, token?: string): Promise<StateSnapshot> {
    return this.#gateway.connect(session, token);
  }

  /** Ends the connection; the session stays open for the gateway's grace. */
  close(): void {
    this.#gateway.close();
  }

  /** Goes Ready; during a call, for after it. */
  async setReady(): Promise<AgentStateView> {
    return this.#learnState((await this.#gateway.ask('set_state', { state: 'ready' })).agent);
  }

  /** Goes Not Ready; during a call, for after it. */
  async setNotReady(reason?: string): Promise<AgentStateView> {
    const requested = { state: 'not_ready', ...(reason === undefined ? {} : { reason }) } as const;
    return this.#learnState((await this.#gateway.ask('set_state', requested)).agent);
  }

  /** Logs the agent out and ends the connection. */
  async signOut(): Promise<void> {
    await this.#gateway.ask('set_state', { state: 'offline' });
    this.#gateway.forgetSession();
    this.close();
  }

  /**
   * Dials by hand.
   * @param options.overrideDoNotCall although the contact does not want to be called: for supervisors and admins
   * @param options.callerId one of the company's outgoing numbers, in place of the agent's
   */
  async startCall(
    phoneNumber: string,
    {
      overrideDoNotCall = false,
      contactId = null,
      callerId = null,
    }: { overrideDoNotCall?: boolean; contactId?: string | null; callerId?: string | null } = {},
  ): Promise<CallView> {
    const asked = {
      phone_number: phoneNumber,
      ...(overrideDoNotCall ? { override_do_not_call: true } : {}),
      ...(callerId === null ? {} : { caller_id: callerId }),
    };
    const answer = await this.#askWith('start_call', asked, contactId === null ? {} : { contact_id: contactId });
    return this.#learnCall(answer.call);
  }

  /** Reports that the phone rings; the answer holds the caller's record. */
  async incomingCall(
    phoneNumber: string,
    displayName?: string,
    told: ToldRing = {},
  ): Promise<ClientAnswers['incoming_call']> {
    const payload = { phone_number: phoneNumber, ...(displayName === undefined ? {} : { display_name: displayName }) };
    const answer = await this.#askWith('incoming_call', payload, told);
    this.#learnCall(answer.call);
    return answer;
  }

  /**
   * Somebody called meanwhile, and heard that the agent is busy: it is recorded as missed.
   * The agent's own call stays `call`. Safe to repeat. Gateways of before refuse it.
   */
  async reportTurnedAway(phoneNumber: string, displayName?: string, told: ToldRing = {}): Promise<CallView> {
    const payload = { phone_number: phoneNumber, ...(displayName === undefined ? {} : { display_name: displayName }) };
    return (await this.#askWith('caller_turned_away', payload, told)).call;
  }

  /**
   * The telephone network names another caller of a call that has come in: its record follows, and `pop` shows them.
   * The same again changes nothing. Gateways of before refuse it.
   */
  async reportCaller(callId: string, phoneNumber: string, displayName?: string): Promise<CallView> {
    const told = {
      call_id: callId,
      phone_number: phoneNumber,
      ...(displayName === undefined ? {} : { display_name: displayName }),
    };
    return this.#learnCall((await this.#gateway.ask('caller_changed', told)).call);
  }

  /** Reports how the call goes. Safe to repeat. */
  async reportProgress(
    callId: string,
    state: 'ringing' | 'connected' | 'held' | 'ended',
    details: Omit<Parameters<ClientToServerEvents['call_progress']>[0], 'call_id' | 'state'> = {},
  ): Promise<CallView> {
    const { sip_call_id: sipCallId, quality, ...known } = details;
    const newer = {
      ...(sipCallId === undefined ? {} : { sip_call_id: sipCallId }),
      ...(quality?.mos_median === undefined && quality?.mos_worst === undefined ? {} : { quality }),
    };
    const told = { call_id: callId, state, ...known, ...(quality === undefined ? {} : { quality: averages(quality) }) };
    return this.#learnCall((await this.#askWith('call_progress', told, newer)).call);
  }

  /**
   * Reserves a Ready colleague for the agent's own call that is connected or held: the one named, or whoever is idle
   * longest, of all or of a team. Then call `extension` of the answer, and hand the call on; otherwise
   * `cancelTransfer`. Refused with `agent_not_ready`, `no_ready_agent`, `unknown_agent`, `unknown_team`, `conflict`.
   */
  async startTransfer(
    callId: string,
    target: { agentId?: string; teamCode?: string } = {},
  ): Promise<ClientAnswers['start_transfer']> {
    const { agentId, teamCode } = target;
    const whom = {
      ...(agentId === undefined ? {} : { agent_id: agentId }),
      ...(teamCode === undefined ? {} : { team_code: teamCode }),
    };
    const { call_id, agent, extension } = await this.#gateway.ask('start_transfer', { call_id: callId, ...whom });
    return { call_id, agent, extension };
  }

  /**
   * Frees the colleague of `startTransfer`, by the `call_id` of its answer, unless they have answered. Safe to repeat.
   */
  async cancelTransfer(callId: string): Promise<void> {
    await this.#gateway.ask('cancel_transfer', { call_id: callId });
  }

  /**
   * The agent is typing: asks for more time to wrap that call up. Resolves with the state,
   * whose `wrap_up_ends_at` tells how much there is; throws SoftphoneRefusal where that wrap-up is over.
   */
  async extendWrapUp(callId: string): Promise<AgentStateView> {
    return this.#learnState((await this.#gateway.ask('extend_wrap_up', { call_id: callId })).agent);
  }

  /** Wraps a call up. */
  async submitDisposition(
    callId: string,
    disposition: Omit<Parameters<ClientToServerEvents['submit_disposition']>[0], 'call_id'>,
  ): Promise<CallView> {
    return this.#learnCall((await this.#gateway.ask('submit_disposition', { call_id: callId, ...disposition })).call);
  }

  /**
   * Several records have the number of that call: this one of the `candidates` of its screen pop is the customer.
   * Another one may be chosen later, also when the call is over.
   */
  async chooseRecord(callId: string, { object, id }: { object: string; id: string }): Promise<CallView> {
    return this.#learnCall((await this.#gateway.ask('choose_record', { call_id: callId, object, id })).call);
  }

  /**
   * The agent has read that message: it is not shown again, here or elsewhere. Throws SoftphoneRefusal; then it stays.
   */
  async acknowledgeMessage(messageId: string): Promise<void> {
    await this.#gateway.ask('acknowledge_message', { message_id: messageId });
    this.#messages.close(messageId);
  }

  /**
   * The phone's settings, and what the company's agents may choose from. Holds the agent's SIP secret: keep it in
   * memory only. Changes while disconnected are not told: read it again after each `snapshot`.
   */
  async readSettings(): Promise<SessionSettings> {
    return (await this.#gateway.ask('read_settings', {})).settings;
  }

  /** Milliseconds since the epoch by the gateway's clock. */
  now(): number {
    return this.#gateway.now();
  }

  /**
   * Hands in a fresh token before the old one expires; resolves with the new expiry (ISO 8601), or with null while
   * disconnected: the next connection presents it.
   */
  renewToken(token: string): Promise<string | null> {
    return this.#gateway.renewToken(token);
  }

  #takeSnapshot(snapshot: StateSnapshot, resumed: boolean): void {
    const before = this.#agent;
    this.#agent = snapshot.agent;
    const { call_id: first, second_call_id: second } = snapshot.agent;
    // What waits to be wrapped up meanwhile keeps its pop.
    this.#offers.keepOnly((id) => id === first || id === second || (first !== null && this.#calls.hasEnded(id)));
    this.#calls.follow(snapshot.agent);
    if (snapshot.call === null) this.#calls.forget();
    for (const call of [snapshot.second_call, snapshot.call]) if (call != null) this.#learnCall(call);
    this.emit('snapshot', snapshot);
    this.emit('agent', snapshot.agent);
    if (resumed && before !== null) void this.#restoreRequestedState(before, snapshot.agent);
  }

  /** Requests again what the agent had asked for, where the gateway has lost it. */
  async #restoreRequestedState(before: AgentStateView, now: AgentStateView): Promise<void> {
    const requested = requestedStateToRestore(before, now);
    if (requested === null) return;
    try {
      if (requested.state === 'ready') await this.setReady();
      else await this.setNotReady(requested.reason);
    } catch {
      // The agent sees the state and decides.
    }
  }

  /**
   * Ignored until the snapshot: a change that comes first would make the snapshot look old and hide what was missed.
   */
  #hearState(agent: AgentStateView): void {
    if (this.#gateway.state === 'connected') this.#learnState(agent);
  }

  /** Messages may overtake each other; the version tells which is newer. */
  #learnState(agent: AgentStateView): AgentStateView {
    const known = this.#agent;
    const isOthers = known !== null && agent.agent_id !== known.agent_id;
    const isOlder = known !== null && agent.state !== 'offline' && agent.version <= known.version;
    if (isOthers || isOlder) return agent;
    this.#agent = agent;
    this.#calls.follow(agent);
    if (agent.call_id === null) this.#offers.forgetPops();
    this.emit('agent', agent);
    return agent;
  }

  /** Asks with what gateways of the version before refuse, having done nothing; by them, without it. */
  async #askWith<E extends ClientEvent>(
    event: E,
    payload: Parameters<ClientToServerEvents[E]>[0],
    newer: Partial<Parameters<ClientToServerEvents[E]>[0]>,
  ): Promise<ClientAnswers[E]> {
    try {
      return await this.#gateway.ask(event, { ...payload, ...newer });
    } catch (error) {
      const isUnknown = error instanceof SoftphoneRefusal && error.code === 'invalid_request';
      if (!isUnknown || Object.keys(newer).length === 0) throw error;
      return this.#gateway.ask(event, payload);
    }
  }

  #learnCall(call: CallView): CallView {
    // A telephony platform has it, and not this softphone: only its customer is shown here.
    const isOwn = call.source == null;
    if (isOwn) this.#calls.learn(call);
    const pop = this.#offers.updatePop(call);
    if (isOwn) this.emit('call', call);
    if (pop !== null) this.emit('popChanged', pop);
    const offer = this.#offers.takeDial(call);
    if (offer === null) return call;
    if (this.#gateway.now() < Date.parse(offer.expires_at) + staleDialMs) this.emit('dial', offer);
    else void this.reportProgress(call.id, 'ended', { end_reason: 'failed' }).catch(() => {});
    return call;
  }
}

/** Of how a call sounded what gateways of the version before know. */
function averages(quality: ReportedQuality): ReportedQuality {
  const { mos_median: _median, mos_worst: _worst, ...known } = quality;
  return known;
}

async function answerListener(offer: Promise<string | null>, acknowledge: (ack: ListenerAck) => void): Promise<void> {
  const sdp = await offer.catch(() => null);
  acknowledge(sdp === null ? { ok: false, error: { code: 'conflict' } } : { ok: true, sdp });
}
