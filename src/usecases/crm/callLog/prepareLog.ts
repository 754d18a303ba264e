import { LRUCache } from 'lru-cache';
import { type CompanyLine, isContactCandidate, lineName } from '../../../contract/callRules.ts';
import { type Call, durationSeconds } from '../../../domain/calls.ts';
import type { AgentId, CompanyId } from '../../../domain/ids.ts';
import type { PreparedLog } from '../../../ports/callLog.ts';
import type { CrmAccount, CrmConnection, CrmTrouble } from '../../../ports/crm.ts';
import type { FinishedCall } from '../../../providers/finishedCall.ts';
import type { CrmRecord } from '../../../providers/provider.ts';
import type { Services } from '../../services.ts';
import { type Read, readAnswer, searchRecords } from '../searchRecords.ts';
import type { Exchange } from './exchanges.ts';

/** How long a user who was found in the CRM, or not, is used again. Milliseconds. */
const keepOwnersMs = 3_600_000;
const maxOwners = 20_000;
/** For the search of a record that the call does not name. Milliseconds. */
const searchWithinMs = 15_000;

type Needs = Pick<Services, 'agents' | 'clock' | 'crm' | 'companyOf'>;
export type Prepared = { kind: 'prepared'; log: PreparedLog } | { kind: 'failed'; trouble: CrmTrouble };

/** Users of CRM systems by agents' e-mail addresses, each resolved once in a while. */
export type Owners = LRUCache<string, { id: string | null; until: number }>;

/**
 * Gathers what is to be logged of a call that has ended: its record, its agent's user in the CRM,
 * and where the entry goes.
 */
export async function prepareLog(
  services: Needs,
  {
    account,
    connection,
    owners,
    exchange,
  }: { account: CrmAccount; connection: CrmConnection; owners: Owners; exchange: Exchange },
  call: Call,
): Promise<Prepared> {
  const { provider, site } = account;
  const found = await services.agents.find(call.companyId, call.agentId);
  const agent = found.kind === 'found' ? found.value : null;
  const record = await recordOf(services, account, call);
  if (record.kind === 'failed') return record;
  const owner = agent?.email == null ? ownerless : await ownerOf(services, { account, owners, exchange }, agent.email);
  if (owner.kind === 'failed') return owner;
  const finished = finishedCall(call, {
    name: agent?.name ?? '',
    code: agent?.agentCode ?? '',
    ownerId: owner.value,
    dispositions: connection.dispositions,
    lines: (await services.companyOf(call.companyId)).settings.lines,
  });
  const place = await placeOf(account, exchange, finished, record.value);
  if (place.kind === 'failed') return place;
  const { facts, options } = site;
  return {
    kind: 'prepared',
    log: {
      provider: provider.id,
      facts: { ...facts },
      options: { ...options },
      call: finished,
      record: record.value,
      place: place.value,
    },
  };
}

const ownerless: Read<string | null> = { kind: 'read', value: null };

/** Who the agent was, and everything else that providers are told of a call. */
function finishedCall(
  call: Call,
  {
    name,
    code,
    ownerId,
    dispositions,
    lines,
  }: {
    name: string;
    code: string;
    ownerId: string | null;
    dispositions: Record<string, string>;
    lines: readonly CompanyLine[];
  },
): FinishedCall {
  const { disposition } = call;
  const other = call.phone ?? call.caller ?? 'unknown';
  const endedAt = call.endedAt ?? call.createdAt;
  return {
    id: call.id,
    direction: call.direction,
    from: call.direction === 'inbound' ? other : code,
    to: call.direction === 'inbound' ? code : other,
    dialedNumber: call.dialedNumber,
    line: lineName(lines, call.dialedNumber),
    queue: call.queue,
    sipCallId: call.sipCallId,
    startedAt: call.createdAt,
    answeredAt: call.answeredAt,
    endedAt,
    durationSeconds: durationSeconds(call) ?? 0,
    endReason: call.endReason ?? 'completed',
    endDetail: call.endDetail,
    transferredTo: call.transferredTo,
    transferredFrom: call.transferredFrom?.name ?? null,
    disposition:
      disposition === null
        ? null
        : { code: disposition.code, label: disposition.label, externalValue: dispositions[disposition.code] ?? null },
    notes: disposition?.notes ?? null,
    tags: call.tags.map(({ label }) => label),
    agent: { name, ownerId },
  };
}

/** The record that popped or was chosen; else the only one that has the number by now. */
async function recordOf(services: Needs, account: CrmAccount, call: Call): Promise<Read<CrmRecord | null>> {
  const { screenPop, phone } = call;
  if (
    screenPop?.external_system === account.provider.id &&
    screenPop.external_id !== undefined &&
    screenPop.external_object !== undefined
  ) {
    const {
      external_object: object,
      external_id: id,
      name = null,
      email = null,
      vip_tier: tier = null,
      record_url: url = null,
    } = screenPop;
    return {
      kind: 'read',
      value: {
        object,
        id,
        name,
        email,
        phones: phone === null ? [] : [phone],
        accountNumber: null,
        tier,
        details: {},
        url,
      },
    };
  }
  // Several records have the number, and nobody has said which one it was.
  // Contacts of the built-in CRM say nothing of the CRM's records.
  if (phone === null || screenPop?.candidates?.some((one) => !isContactCandidate(one)) === true)
    return { kind: 'read', value: null };
  const searched = await searchRecords(services, account, phone, services.clock.now() + searchWithinMs, {
    isLive: false,
  });
  if (searched.kind === 'failed') return searched;
  const known = call.externalId ?? screenPop?.external_id;
  const named = searched.records.find(({ id }) => id === known);
  return { kind: 'read', value: named ?? (searched.records.length === 1 ? (searched.records[0] ?? null) : null) };
}

/** An account that may not read users logs calls without an owner. */
async function ownerOf(
  { clock }: Pick<Services, 'clock'>,
  { account, owners, exchange }: { account: CrmAccount; owners: Owners; exchange: Exchange },
  email: string,
): Promise<Read<string | null>> {
  const { companyId, provider, site } = account;
  if (provider.ownerRequest === null) return ownerless;
  const key = `${companyId} ${provider.id} ${email}`;
  const known = owners.get(key);
  if (known !== undefined && known.until > clock.now()) return { kind: 'read', value: known.id };
  const answer = await exchange(provider.ownerRequest(email, site));
  const isRefused = answer.kind === 'failed' && ['forbidden', 'not_found', 'invalid'].includes(answer.trouble.kind);
  const read: Read<string | null> = isRefused
    ? ownerless
    : readAnswer(answer, (response) => provider.parseOwner(response, email));
  if (read.kind === 'failed') return read;
  owners.set(key, { id: read.value, until: clock.now() + keepOwnersMs });
  return read;
}

async function placeOf(
  { provider, site }: CrmAccount,
  exchange: Exchange,
  call: FinishedCall,
  record: CrmRecord | null,
): Promise<Read<string | null>> {
  const { place } = provider.logRequests;
  const request = place?.request(call, record, site) ?? null;
  if (place === undefined || request === null) return { kind: 'read', value: null };
  const answer = await exchange(request);
  if (answer.kind === 'failed' && answer.trouble.kind === 'not_found') return { kind: 'read', value: null };
  return readAnswer(answer, (response) => place.parse(response));
}

/** None are known yet. */
export function createOwners(): Owners {
  return new LRUCache({ max: maxOwners });
}

/** Forgets the users of a company's CRM. */
export function forgetOwners(owners: Owners, companyId: CompanyId): void {
  for (const key of owners.keys()) if (key.startsWith(companyId)) owners.delete(key);
}

/** Whether the agent of that call may still wrap it up; until when. Null: not. */
export async function wrapUpUntil(
  { presence }: Pick<Services, 'presence'>,
  { companyId, agentId, id }: Pick<Call, 'companyId' | 'id'> & { agentId: AgentId },
): Promise<number | null> {
  const found = await presence.find(companyId, agentId);
  const waiting = found?.toWrapUp.find(({ callId }) => callId === id);
  if (waiting !== undefined) return presence.now() + waiting.wrapUpMs;
  return found?.state === 'wrap_up' && found.callId === id ? found.expiresAt : null;
}
