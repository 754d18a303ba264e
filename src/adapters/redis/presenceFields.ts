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
import { dialVias } from '../../contract/ctiConnections.ts';
import type { CallToWrapUp, PendingState, PlatformOwner, Presence, SecondCall } from '../../domain/presence.ts';

/** The fields of an agent's hash, in readable form; what is null in the presence is absent. */
export type PresenceFields = Record<string, string>;

type AnyId = CallId | ClaimId | SessionId | Lease | NodeId;

const reservations = ['offer', 'ring'] as const;

/** The fields to store, as a list of name, value, name, value … Company and agent are in the key. */
export function presenceToFields(presence: Presence): string[] {
  const { companyId: _company, agentId: _agent, pending, platform, second, toWrapUp, ...rest } = presence;
  const values = {
    ...rest,
    pendingState: pending?.state ?? null,
    pendingReason: pending?.reason ?? null,
    ...platformValues(platform),
    secondCallId: second?.callId ?? null,
    secondRingsUntil: second?.ringsUntil ?? null,
    toWrapUp: toWrapUp.map(({ callId, wrapUpMs }) => `${callId}:${String(wrapUpMs)}`).join(',') || null,
  };
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
    second: secondFrom(read),
    toWrapUp: read.optional('toWrapUp', callsToWrapUp) ?? [],
    claimId: read.optional('claimId', id<ClaimId>),
    reservedFor: read.optional('reservedFor', oneOf(reservations)),
    sessionId: read.optional('sessionId', id<SessionId>),
    lease: read.optional('lease', id<Lease>),
    nodeId: read.optional('nodeId', id<NodeId>),
    idleSince: read.optional('idleSince', integer),
    expiresAt: read.optional('expiresAt', integer),
    platform: platformFrom(read),
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

function secondFrom(read: Reader): SecondCall | null {
  const callId = read.optional('secondCallId', id<CallId>);
  return callId && { callId, ringsUntil: read.optional('secondRingsUntil', integer) };
}

function callsToWrapUp(stored: string): CallToWrapUp[] | undefined {
  const calls = stored.split(',').map((entry) => {
    const [call = '', wrapUp = ''] = entry.split(':');
    return { callId: id<CallId>(call), wrapUpMs: integer(wrapUp) };
  });
  return calls.every((call): call is CallToWrapUp => call.callId !== undefined && call.wrapUpMs !== undefined)
    ? calls
    : undefined;
}

function platformValues(platform: PlatformOwner | null) {
  return {
    platform: platform?.connector ?? null,
    platformState: platform?.state ?? null,
    platformReason: platform?.reason ?? null,
    platformCallId: platform?.callId ?? null,
    platformDialsBy: platform?.dialsBy ?? null,
    platformUntil: platform?.until ?? null,
    platformBefore: platform?.before?.state ?? null,
    platformBeforeReason: platform?.before?.reason ?? null,
  };
}

function platformFrom(read: Reader): PlatformOwner | null {
  const connector = read.optional('platform', text);
  if (connector === null) return null;
  const before = read.optional('platformBefore', oneOf(['ready', 'not_ready'] as const));
  return {
    connector,
    state: read.required('platformState', oneOf(agentStates)),
    reason: read.optional('platformReason', text),
    callId: read.optional('platformCallId', id<CallId>),
    dialsBy: read.required('platformDialsBy', oneOf(dialVias)),
    until: read.required('platformUntil', integer),
    before: before && { state: before, reason: read.optional('platformBeforeReason', text) },
  };
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
