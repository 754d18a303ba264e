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

type AnyId = CompanyId | AgentId | CallId | ClaimId | SessionId | Lease | NodeId | DeliveryId;

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
