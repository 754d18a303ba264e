import type { CallState, Direction } from '../contract/vocabulary.ts';
import type { Call } from '../domain/calls.ts';
import type { AgentId, CallId, CompanyId } from '../domain/ids.ts';
import type { OutboxEvent } from './outbox.ts';
import type { ClaimedKey } from './idempotency.ts';
import type { Lookup, Page, PageRequest } from './lookup.ts';

/** The answer to remember under an Idempotency-Key, in the transaction of what it reports. */
export type RememberedAnswer = { key: ClaimedKey; status: number; body: unknown; expiresAt: Date };

export type CreatedCall =
  | 'created'
  /** Another call of this agent has not ended; nothing was written. */
  | 'agent_has_call'
  /** The request no longer holds the key of the remembered answer; nothing was written. */
  | 'key_lost';

export type CallFilter = { agentId?: AgentId; phone?: string; state?: CallState; direction?: Direction };

/** What supervisors see of a call that has not ended. */
export type CallInProgress = Pick<
  Call,
  'id' | 'agentId' | 'direction' | 'trigger' | 'state' | 'phone' | 'createdAt' | 'answeredAt' | 'version'
> & {
  /** The customer's, as it popped. */
  name: string | null;
};

export interface CallStore {
  /**
   * One transaction: the call, its events into the outbox, the remembered answer. An agent has at most one call that
   * has not ended, however many gateways record at once.
   */
  create(call: Call, events: OutboxEvent[], remember?: RememberedAnswer): Promise<CreatedCall>;
  /** One transaction: the call as changed, if its stored version is still `next.version - 1`, and its events. */
  commit(next: Call, events: OutboxEvent[]): Promise<'committed' | 'conflict'>;
  find(companyId: CompanyId, id: CallId): Promise<Lookup<Call>>;
  /** The call of an agent that has not ended. */
  findActive(companyId: CompanyId, agentId: AgentId): Promise<Call | null>;
  /** Which of these agents, of any company, are on a call that has not ended, and on which. */
  findActiveOf(agents: { companyId: CompanyId; agentId: AgentId }[]): Promise<Map<AgentId, CallId>>;
  /** The company's calls that have not ended: one for each agent on a call, in no order of use to anybody. */
  listInProgress(companyId: CompanyId): Promise<CallInProgress[]>;
  /** Newest first. */
  list(companyId: CompanyId, filter: CallFilter, page: PageRequest): Promise<Page<Call>>;
  /**
   * For the reaper: calls of any company, made before `before`, that have not ended. In no order of use to anybody;
   * a call that lasts through all pages is on one of them.
   */
  listActive(before: Date, page: PageRequest): Promise<Page<Call>>;
}
