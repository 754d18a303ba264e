import type { AgentId, CallId, ClaimId, CompanyId } from '../domain/ids.ts';
import type { Presence } from '../domain/presence.ts';

/**
 * Whom a claim may take: the named agent, or the one idle longest of all or of `among`, without those of `except`,
 * who are few. `among` is not changed afterwards; the same list again is claimed among quickly.
 */
export type WantedAgent =
  | { agentId?: AgentId; among?: never; except?: never }
  | { agentId?: never; among: readonly AgentId[]; except?: readonly AgentId[] };

export type ClaimOutcome =
  | { kind: 'claimed'; presence: Presence }
  /** Nobody of those whom it might take can be claimed. Only without an `agentId`. */
  | { kind: 'none_ready' }
  /** The named agent cannot be claimed; null: no presence at all. */
  | { kind: 'not_ready'; presence: Presence | null };

/**
 * Agent sessions and Ready state, shared by all gateways. A cache of the truth that the connected softphones
 * hold; it decides nothing but who wins a race.
 */
export interface PresenceStore {
  /** Milliseconds by the store's clock; the only clock by which presence is dated. */
  now(): number;

  find(companyId: CompanyId, agentId: AgentId): Promise<Presence | null>;

  /** Everyone of the company who is not offline. @param of these alone; null or left out: everybody */
  list(companyId: CompanyId, of?: readonly AgentId[] | null): Promise<Presence[]>;

  /**
   * Takes one claimable agent to `reserved`, atomically: the named one, or the one idle longest, of all or among
   * those given. Concurrent claims never share an agent, and none answers `none_ready` while an unclaimed Ready agent
   * exists whom it may take.
   */
  claim(companyId: CompanyId, claim: WantedAgent & { claimId: ClaimId; callId: CallId }): Promise<ClaimOutcome>;

  /**
   * Writes `next` if the stored version is still `expectedVersion` (0: nothing stored). An offline presence is
   * forgotten. All or nothing.
   */
  commit(companyId: CompanyId, expectedVersion: number, next: Presence): Promise<'committed' | 'conflict'>;

  /** Agents whose deadline has passed, the longest overdue first, at most `limit`. */
  due(limit: number): Promise<{ companyId: CompanyId; agentId: AgentId }[]>;

  /**
   * Sets how this gateway's agents are restored when the store has lost data.
   * Until every live gateway has done so, callers wait: nothing is reported missing, claimed or committed.
   */
  whenLost(restore: () => Promise<void>): void;
  /** Checks whether the store has lost data; resolves when everything is restored. */
  check(): Promise<void>;
  /**
   * Writes back what this gateway last knew of an agent connected to it, unless the store knows as much.
   * @returns as written, under a new version; null: nothing was written
   */
  restore(known: Presence): Promise<Presence | null>;

  /** Rejects when the store cannot be reached. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
