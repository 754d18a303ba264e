import type { AgentStateView } from '../contract/agents.ts';
import type { CallView } from '../contract/calls.ts';
import type {
  ClickToDialOffer,
  CrmScreenPop,
  ListenerJoins,
  ListenerNews,
  OfferRescinded,
  TaskClosed,
  TransferEnded,
  TransferOffer,
} from '../contract/socket.ts';
import type { TaskView } from '../contract/tasks.ts';
import type { AgentId, ClaimId, CompanyId } from '../domain/ids.ts';
import type { Presence } from '../domain/presence.ts';

export type OfferOutcome =
  | { kind: 'acknowledged' }
  /** The agent or the softphone declined. */
  | { kind: 'declined' }
  /** A softphone that is connected has not acknowledged in time. */
  | { kind: 'undelivered'; detail: string }
  /**
   * The softphone's connection or its gateway is gone, stands still, knows better or cannot be heard,
   * or the claim was over; nothing more will be shown.
   */
  | { kind: 'unreachable'; detail: string };

/** `unable`: that softphone takes no calls that are handed on; nothing was shown. */
export type TransferOfferOutcome = OfferOutcome | { kind: 'unable' };

/** What softphones are told of a task. */
export type TaskNews = { event: 'task_due'; task: TaskView } | { event: 'task_closed'; closed: TaskClosed };

/**
 * What an agent's page offers a listener. `unable`: it takes none, or there is no such softphone;
 * `silent`: it has not answered in time.
 */
export type ListenOffer = { kind: 'offered'; sdp: string } | { kind: 'unable' } | { kind: 'silent' };

/** A presence that holds a claim. */
export type ClaimedPresence = Presence & { claimId: ClaimId };

/** The way to the agents' softphones, whichever gateway they are connected to. */
export interface Softphones {
  /**
   * Shows the pop and the dial on the one softphone that owns the claimed agent's session, after checking there
   * that the claim still holds, and waits for its acknowledgement.
   * @param timeoutMs how long to wait
   */
  offer(claimed: ClaimedPresence, pop: CrmScreenPop, dial: ClickToDialOffer, timeoutMs: number): Promise<OfferOutcome>;
  /** The same with a call that a colleague hands on, in place of a dial. */
  offerTransfer(
    claimed: ClaimedPresence,
    pop: CrmScreenPop,
    transfer: TransferOffer,
    timeoutMs: number,
  ): Promise<TransferOfferOutcome>;
  /** Takes an offer back from where it was shown. */
  rescind(claimed: Presence, rescinded: OfferRescinded): void;
  /** Shows a pop that is no offer. */
  pop(companyId: CompanyId, agentId: AgentId, pop: CrmScreenPop): void;
  /** To the agent's softphone and the company's supervisors. */
  agentChanged(before: Presence | null, after: Presence, state: AgentStateView): void;
  /** To the agent's softphone. */
  callChanged(companyId: CompanyId, agentId: AgentId, call: CallView): void;
  /** Asks the agent's softphone for its side of the connection with a listener. */
  askToListen(companyId: CompanyId, agentId: AgentId, joins: ListenerJoins): Promise<ListenOffer>;
  /** Tells the agent's softphone of a listener. */
  listener(companyId: CompanyId, agentId: AgentId, news: ListenerNews): void;
  /** To the softphone of the agent who hands a call on. */
  transferEnded(companyId: CompanyId, agentId: AgentId, ended: TransferEnded): void;
  /**
   * Shows a task that is due, or takes it off the screen: at the agent's softphone, or at all of the company (null).
   * Rejects where it is not known which gateway has the softphone.
   */
  task(companyId: CompanyId, agentId: AgentId | null, news: TaskNews): Promise<void>;
  /** A message was written or taken back: those whom it is for are shown it, or not any more. Nobody waits for it. */
  messagesChanged(companyId: CompanyId): void;
  /** What they show of the company, or how it telephones, has changed: to all softphones of the company. */
  settingsChanged(companyId: CompanyId): void;
  /**
   * Supervisors see other agents from now on, or others are in their teams: their wallboards follow, at all gateways.
   */
  rightsChanged(companyId: CompanyId): void;
  /** The agent's telephone account or name has changed: to the agent's softphone. */
  accountChanged(companyId: CompanyId, agentId: AgentId): void;
  /** Ends every connection of an agent whose tokens are dead. */
  disconnect(companyId: CompanyId, agentId: AgentId): void;
}
