import type { CallEvent } from '../connectors/connector.ts';
import type { CompanyId } from '../domain/ids.ts';

/** A call of a platform, as the company's connection names it. */
export type PlatformCallKey = { companyId: CompanyId; connector: string; callId: string };

/** What is known of a call beside what happened to it: some platforms tell it once. Null: not told. */
export type HeardCall = Pick<CallEvent, 'customer' | 'dialedNumber' | 'direction' | 'queue' | 'cause'> & {
  /** When it ended, by the platform's clock where it dates that; null: not told. */
  endedAt: Date | null;
};

/**
 * What platforms told of calls of which nobody was known to be on them yet, for an hour after they told something last.
 */
export interface HeardCallStore {
  /**
   * Adds to what was told before; what is null says nothing.
   * @param replaces when a call of that name ended of which this is not: what was told of that one is forgotten.
   * Null: it is the same call
   */
  hear(call: PlatformCallKey, told: HeardCall, replaces: Date | null): Promise<void>;
  /** Null: nothing was told of it. */
  recall(call: PlatformCallKey): Promise<HeardCall | null>;
  /** Deletes what was told before then of any company's calls, at most `limit`; how many. */
  prune(before: Date, limit: number): Promise<number>;
}

/** What a platform told of an agent while it was being decided whether it dials for that agent. `id`: time-ordered. */
export type WaitingEvent = { companyId: CompanyId; id: string; connector: string; event: CallEvent; heardAt: Date };

/** Events that count once a dial is decided, so that they outlive the gateway that took them. */
export interface WaitingEventStore {
  keep(one: WaitingEvent): Promise<void>;
  drop(companyId: CompanyId, id: string): Promise<void>;
  /** Of any company, those that were told before then: the gateway that took them is gone. As they were told. */
  left(before: Date, limit: number): Promise<WaitingEvent[]>;
}
