import type { JsonText } from '../contract/jsonText.ts';
import type { CallState, Direction, EndReason } from '../contract/vocabulary.ts';
import type { Call, Disposition } from '../domain/calls.ts';
import type { CallStep } from '../domain/callSteps.ts';
import type { CallTag } from '../domain/tags.ts';
import type { AgentId, CallId, CompanyId, ContactId, DeliveryId } from '../domain/ids.ts';
import type { PhoneNumber } from '../domain/phones/phoneNumbers.ts';
import type { SearchedNumbers } from '../domain/phones/searchedNumbers.ts';
import type { NewCallback } from '../domain/tasks.ts';
import type { OutboxEvent } from './outbox.ts';
import type { FindResult, Page, PageRequest } from './queryResults.ts';

/** The answer to remember under an Idempotency-Key, in the transaction of what it reports. */
export type RememberedAnswer = { key: HeldKey; status: number; body: unknown; expiresAt: Date };

export type CreatedCall =
  | 'created'
  /** Another call of this agent has not ended; nothing was written. */
  | 'agent_has_call'
  /** The agent has this call of a platform already; nothing was written. */
  | 'known'
  /** The request no longer holds the key of the remembered answer; nothing was written, nor will be for this call. */
  | 'key_lost'
  /** The time was over, or the record had been ruled out; nothing was written. */
  | 'too_late';

/**
 * That a supervisor has a number called although it is not to be: for the call,
 * and for the timeline of the contact who does not want it; null: only the company's list has it.
 */
export type DoNotCallOverride = { contactId: ContactId | null; entryId: string; by: AgentId };

/** What a call is created with. */
export type Creation = {
  remember?: RememberedAnswer | undefined;
  /**
   * Until when the record may be committed, in milliseconds of the `Clock`, which follows the database's.
   * Absent: whenever.
   */
  by?: number;
  /** Called when the record is sent: where it never is before `by`, nothing will be recorded. */
  onSend?: () => void;
  /** Of a call that is over from the beginning: it is to be logged in the company's CRM, where that logs such calls. */
  log?: ToLog | null;
  /** Stands on the contact's timeline with the call. */
  override?: DoNotCallOverride | null;
};

/** Whether a call was recorded, or ruled out, for good; `open`: neither yet. */
export type Fate = { kind: 'recorded'; call: Call } | { kind: 'ruled_out' } | { kind: 'open' };

/** A call is to be logged in the CRM: the id of the delivery, and when it falls due. */
export type ToLog = { id: DeliveryId; dueAt: Date };

/**
 * What comes of a change of a call. `log`: it is to be logged in the company's CRM, where that logs such calls.
 * `callback`: a callback was set, at the time in the call's disposition. `correction`: stands in the call's history.
 * `step`: is added to the call's steps, while it has fewer than 200. `tags`: what it is marked with from now on; else
 * it
 * keeps those that are stored, which agents change without its version.
 */
export type CallConsequences = {
  log?: ToLog | null;
  callback?: NewCallback | null;
  correction?: NewCorrection | null;
  step?: CallStep | null;
  tags?: readonly CallTag[] | null;
};

/** How a call was wrapped up, of before or after a correction. */
export type WrappedUp = Pick<Disposition, 'code' | 'label' | 'notes'> & { tags: readonly CallTag[] };

/**
 * That somebody changes how a call was wrapped up. `id`: UUIDv7. `by` null: a program with the company's key.
 * `before` null: it was not.
 */
export type NewCorrection = { id: string; by: AgentId | null; before: WrappedUp | null; after: WrappedUp };
export type Correction = NewCorrection & {
  /** Who that is; null: nobody, or no longer known. */ name: string | null;
  at: Date;
};

/** What an agent enters before a call is wrapped up; what is left out stays as it is. */
export type CallDraft = Partial<Pick<Call, 'notesDraft' | 'tags' | 'codeDraft' | 'callbackDraft'>> & {
  /** When it was entered. */ draftAt: Date;
};

/** `since` and `until` (which does not count itself): when the call began. */
export type CallFilter = {
  /** Of any of these. */
  agentIds?: AgentId[];
  /** With any of these: the spellings of one number. */
  phones?: string[];
  /** That SIP calls so, as it was told first. */
  sipCallId?: string;
  state?: CallState;
  direction?: Direction;
  /** `missed`: somebody called, and nobody talked to them. `answered`: somebody did talk. */
  result?: 'missed' | 'answered';
  endReason?: EndReason;
  dispositionCode?: string;
  /** Marked with the tag of this key; see `tagKey`. */
  tag?: string;
  since?: Date;
  until?: Date;
  /** With this text in the customer's name, the disposition or the notes, or such digits in the number. */
  text?: { words: string; numbers: SearchedNumbers | null };
};

/** Which CRM the customer's record is in, and where it is opened there, as it popped. */
export type CustomerRecord = { externalSystem: string | null; recordUrl: string | null };

/** What supervisors see of a call that has not ended. */
export type CallInProgress = Pick<
  Call,
  'id' | 'agentId' | 'direction' | 'trigger' | 'state' | 'phone' | 'caller' | 'createdAt' | 'answeredAt' | 'version'
> & {
  /** The customer's, as it popped. */
  name: string | null;
  /** The platform that has it; null: the agent's softphone. */
  source: string | null;
  /** The name of the colleague who hands it on; null: nobody does. */
  handedOnBy: string | null;
} & CustomerRecord;

/** A call without what the CRM has attached to it, which may be large. */
export type ListedCall = Omit<Call, 'metadata' | 'screenPop'> & {
  /** As it popped. */
  customerName: string | null;
} & CustomerRecord;
/** A call that has not ended: whose it is, and how far. */
export type ActiveCall = Pick<Call, 'id' | 'companyId' | 'agentId' | 'slot' | 'state' | 'version'>;

/** A call as it is told of afterwards. `agentName`: of the agent who had it. */
export type ActivityCall = Pick<
  Call,
  | 'agentId'
  | 'direction'
  | 'state'
  | 'phone'
  | 'endReason'
  | 'endDetail'
  | 'createdAt'
  | 'answeredAt'
  | 'endedAt'
  | 'disposition'
  | 'tags'
> & { agentName: string };

/**
 * Calls with a number that are over, the latest first.
 * `lastSpoken`: the latest that was answered, which may be an older one.
 */
export type PreviousCalls = { calls: (ActivityCall & { id: CallId })[]; lastSpoken: ActivityCall | null };

export interface CallStore {
  /**
   * One transaction: the call, its events into the outbox, the remembered answer. An agent has at most one call in
   * each slot that has not ended, however many gateways record at once. Against `ruleOut` whoever spends the call's id
   * first wins.
   */
  create(call: Call, events: OutboxEvent[], creation?: Creation): Promise<CreatedCall>;
  /**
   * Rules a call out: it will never be recorded, unless it is already. Waits for a record that is being committed.
   * Durable when it resolves; when it rejects, the outcome is unknown. Not for old calls: use `fate`.
   */
  ruleOut(companyId: CompanyId, id: CallId): Promise<'ruled_out' | 'recorded'>;
  /** What has been decided of a call so far, in one look. */
  fate(companyId: CompanyId, id: CallId): Promise<Fate>;
  /** Deletes the decisions on calls that began before then (the calls stay); at most `limit`; how many. */
  pruneDecided(before: Date, limit: number): Promise<number>;
  /**
   * One transaction: the call as changed, if its stored version is still `next.version - 1`, its events, and what comes
   * of the change. Resolves with the call as it is stored then: what its agent enters beside its version may be newer
   * than what was known.
   */
  commit(next: Call, events: OutboxEvent[], consequences?: CallConsequences): Promise<Call | 'conflict'>;
  /** The same with the screen pop, which `commit` leaves as it is, and without events. */
  commitScreenPop(next: Call): Promise<Call | 'conflict'>;
  /** The same with the other end, what refers to it, and the screen pop; the step is added to the call's. */
  commitCaller(next: Call, step: CallStep): Promise<Call | 'conflict'>;
  /**
   * The call as this process wrote it last, where that is not long ago; null: it is to be looked up. Others may have
   * changed it since, which `commit` finds out, and what its agent enters beside its version (tags, notes, a recording)
   * may be older than what is stored.
   */
  recall(companyId: CompanyId, id: CallId): Call | null;
  find(companyId: CompanyId, id: CallId): Promise<FindResult<Call>>;
  /**
   * Where its recording is heard; null: nowhere. False: the company has no such call, or its person was erased.
   * The version stays: nothing else is written by that.
   */
  attachRecording(companyId: CompanyId, id: CallId, url: string | null): Promise<boolean>;
  /**
   * Keeps what its agent has entered so far. `older`: what is kept was entered later, and stays.
   * `gone`: it is wrapped up, its person was erased, or the company has no such call. The version stays.
   */
  saveDraft(companyId: CompanyId, id: CallId, draft: CallDraft): Promise<'saved' | 'older' | 'gone'>;
  /** What its other fields do not tell of its course, in order. */
  steps(companyId: CompanyId, id: CallId): Promise<CallStep[]>;
  /** What was changed of how it was wrapped up, the latest first; at most 100. */
  corrections(companyId: CompanyId, id: CallId): Promise<Correction[]>;
  /**
   * The conversation with a customer that this call is of: the call that began it, and those of colleagues to whom it
   * was handed on or who were asked, in the order in which they began; at most 50. Empty: the company has no such call.
   */
  conversation(companyId: CompanyId, id: CallId): Promise<Call[]>;
  /** The calls of an agent's softphone that have not ended, two at most, the first one first. */
  findActive(companyId: CompanyId, agentId: AgentId): Promise<Call[]>;
  /**
   * The calls that a platform called so: one for each agent who was on it, and again each time that the call came back
   * or the name was used again, up to the last 5; of each agent the first one first.
   */
  ofPlatform(companyId: CompanyId, source: string, platformCallId: string): Promise<Call[]>;
  /** The agent's call in progress that a platform makes and has no name for yet; null: there is none. */
  unnamedOfPlatform(companyId: CompanyId, agentId: AgentId, source: string): Promise<Call | null>;
  /**
   * Calls of platforms, of any company, that have not ended and of which nothing was told: since `ringingSince` of
   * those that ring, since `since` of the others. The longest silent first.
   */
  silent(of: { ringingSince: Date; since: Date; limit: number }): Promise<Call[]>;
  /**
   * Which of these agents, of any company, are on calls of their softphones that have not ended, and on which,
   * the first one first.
   */
  findActiveOf(agents: { companyId: CompanyId; agentId: AgentId }[]): Promise<Map<AgentId, CallId[]>>;
  /** The company's calls that have not ended, in no particular order. @param of of these agents alone; null: of all */
  listInProgress(companyId: CompanyId, of: AgentId[] | null): Promise<CallInProgress[]>;
  /** The last `limit` calls with a number before a call; null: of all. Who spoke last is looked for in the last 100. */
  previous(companyId: CompanyId, phone: PhoneNumber, before: CallId | null, limit: number): Promise<PreviousCalls>;
  /** Newest first. */
  list(companyId: CompanyId, filter: CallFilter, page: PageRequest): Promise<Page<ListedCall>>;
  /** How many calls the agent has missed that ended after then, counted to `atMost`. */
  countMissed(companyId: CompanyId, agentId: AgentId, after: Date, atMost: number): Promise<number>;
  /**
   * For the reaper: calls of softphones of any company, made before `before`, that have not ended.
   * In no particular order; a call under way through all pages is on one of them.
   */
  listActive(before: Date, page: PageRequest): Promise<Page<ActiveCall>>;
}

export type BegunKey =
  | { kind: 'fresh' }
  /** The first request's answer, as it was sent. */
  | { kind: 'answered'; status: number; answer: JsonText }
  | { kind: 'in_progress' }
  | { kind: 'mismatch' };

/** A key as one request holds it; `heldUntil` tells it from a later request that holds the same key. */
export type HeldKey = { key: string; heldUntil: Date };

/** Idempotency-Keys of a company. The answer is remembered by the store that records what it reports. */
export interface IdempotencyStore {
  /** Takes the key for a request until `lapsesAt`, or tells what became of it. One statement. */
  begin(companyId: CompanyId, key: string, requestHash: string, now: Date, lapsesAt: Date): Promise<BegunKey>;
  /** Holds a request's key for longer. False: the request holds it no more, and nothing was changed. */
  hold(companyId: CompanyId, held: HeldKey, until: Date): Promise<boolean>;
  /** Frees the key of a request that was refused. Afterwards that request records nothing under it. */
  abandon(companyId: CompanyId, held: HeldKey): Promise<void>;
  /** Deletes keys that expired before then, at most `limit`; how many. Keys in use are skipped. */
  prune(before: Date, limit: number): Promise<number>;
}
