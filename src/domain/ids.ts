/** Branded identifiers: minted by parsing or by `newId`, so that a company's id cannot stand in for an agent's. */

type Branded<B extends string> = string & { readonly __brand: B };
export type CompanyId = Branded<'company'>;
export type AgentId = Branded<'agent'>;
export type CallId = Branded<'call'>;
export type ClaimId = Branded<'claim'>;
export type SessionId = Branded<'session'>;
export type Lease = Branded<'lease'>;
export type NodeId = Branded<'node'>;
export type DeliveryId = Branded<'delivery'>;
export type ContactId = Branded<'contact'>;
export type OrganisationId = Branded<'organisation'>;
export type ImportId = Branded<'import'>;
export type TaskId = Branded<'task'>;
export type TeamId = Branded<'team'>;
export type MessageId = Branded<'message'>;
export type PipelineId = Branded<'pipeline'>;
export type StageId = Branded<'stage'>;
export type DealId = Branded<'deal'>;
export type DuplicateId = Branded<'duplicate'>;
export type ReportViewId = Branded<'report view'>;

type AnyId =
  | CompanyId
  | AgentId
  | CallId
  | ClaimId
  | SessionId
  | Lease
  | NodeId
  | DeliveryId
  | ContactId
  | OrganisationId
  | TaskId
  | ImportId
  | TeamId
  | MessageId
  | PipelineId
  | StageId
  | DealId
  | DuplicateId
  | ReportViewId;

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text has the form of a UUID of any version. */
export function isUuid(text: string): boolean {
  return uuidForm.test(text);
}

/** Brands a UUID, in lower case. Throws on any other text: call it only where the form is known. */
export function toId<T extends AnyId>(text: string): T {
  if (!isUuid(text)) throw new Error('not a UUID');
  return text.toLowerCase() as T;
}

/**
 * How far a delivery's id may be dated from the delivery itself. The gateway makes the id by its synced clock, a little
 * before the row is written: the two differ by a slow write and the clock's error. Milliseconds.
 */
const marginMs = 15 * 60_000;

/** The 48 bits of a UUIDv7's time, in milliseconds since the epoch. */
const latestMs = 2 ** 48 - 1;

/**
 * A bound for finding deliveries of a time by the index on their ids: every one that was made at `time` or later has
 * this id or a higher one. So have some that were made up to 15 minutes earlier; only `created_at` tells them.
 */
export function idsSince(time: Date): string {
  return firstIdAt(time.getTime() - marginMs);
}

/** The bound on the other side: every delivery that was made before `time` has a lower id than this. */
export function idsUntil(time: Date): string {
  return firstIdAt(time.getTime() + marginMs);
}

/** Before every id, and behind every id. */
export const [firstId, lastId] = [
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
] as const;

/** What sorts before every UUIDv7 of that millisecond and after every earlier one. */
export function firstIdAt(ms: number): string {
  const hex = Math.min(Math.max(ms, 0), latestMs).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
