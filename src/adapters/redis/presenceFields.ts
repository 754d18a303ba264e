import { agentStates, connections, requestableStates } from '../../contract/vocabulary.ts';
import {
  isUuid,
  toId,
  type AgentId,
  type CallId,
  type ClaimId,
  type CompanyId,
  type Lease,
  type NodeId,
  type SessionId,
} from '../../domain/ids.ts';
import type { PendingState, Presence } from '../../domain/presence.ts';

/** The fields of an agent's hash, in readable form; what is null in the presence is absent. */
export type PresenceFields = Record<string, string>;

type AnyId = CallId | ClaimId | SessionId | Lease | NodeId;

const reservations = ['offer', 'ring'] as const;

/** The fields to store, as a list of name, value, name, value … Company and agent are in the key. */
export function presenceToFields(presence: Presence): string[] {
  const { companyId: _company, agentId: _agent, pending, ...rest } = presence;
  const values = { ...rest, pendingState: pending?.state ?? null, pendingReason: pending?.reason ?? null };
  return Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [name, String(value)]));
}

/** Makes a record of a flat list of name, value, name, value … */
export function fieldsOfList(list: string[]): PresenceFields {
  const fields: PresenceFields = {};
  for (let i = 0; i + 1 < list.length; i += 2) fields[list[i] ?? ''] = list[i + 1] ?? '';
  return fields;
}

/** Reads a stored presence; null when there is none. Throws an error that names the agent and the broken field. */
export function presenceFromFields(companyId: CompanyId, agentId: AgentId, fields: PresenceFields): Presence | null {
  if (Object.keys(fields).length === 0) return null;
  const read = readerOf(fields, `presence of agent ${agentId} of company ${companyId}`);
  return {
    companyId,
    agentId,
    version: read.required('version', integer),
    state: read.required('state', oneOf(agentStates)),
    reason: read.optional('reason', text),
    since: read.required('since', integer),
    connection: read.required('connection', oneOf(connections)),
    connectionSince: read.required('connectionSince', integer),
    pending: pendingFrom(read),
    callId: read.optional('callId', id<CallId>),
    claimId: read.optional('claimId', id<ClaimId>),
    reservedFor: read.optional('reservedFor', oneOf(reservations)),
    sessionId: read.optional('sessionId', id<SessionId>),
    lease: read.optional('lease', id<Lease>),
    nodeId: read.optional('nodeId', id<NodeId>),
    idleSince: read.optional('idleSince', integer),
    expiresAt: read.optional('expiresAt', integer),
  };
}

type Reader = ReturnType<typeof readerOf>;
/** Undefined: the text does not fit. */
type Parse<T> = (stored: string) => T | undefined;

function readerOf(fields: PresenceFields, whose: string) {
  function optional<T>(name: string, parse: Parse<T>): T | null {
    const stored = fields[name];
    if (stored === undefined) return null;
    const value = parse(stored);
    if (value === undefined) throw new Error(`broken ${whose} in Redis: ${name} is ${JSON.stringify(stored)}`);
    return value;
  }
  function required<T>(name: string, parse: Parse<T>): T {
    const value = optional(name, parse);
    if (value === null) throw new Error(`broken ${whose} in Redis: ${name} is missing`);
    return value;
  }
  return { optional, required };
}

function pendingFrom(read: Reader): PendingState | null {
  const state = read.optional('pendingState', oneOf(requestableStates));
  return state && { state, reason: read.optional('pendingReason', text) };
}

function text(stored: string): string {
  return stored;
}

function integer(stored: string): number | undefined {
  const value = Number(stored);
  return /^-?\d+$/.test(stored) && Number.isSafeInteger(value) ? value : undefined;
}

function id<T extends AnyId>(stored: string): T | undefined {
  return isUuid(stored) ? toId<T>(stored) : undefined;
}

function oneOf<T extends string>(words: readonly T[]): Parse<T> {
  return (stored) => words.find((word) => word === stored);
}
