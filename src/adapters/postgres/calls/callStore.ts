import { type AgentId, type CallId, toId } from '../../../domain/ids.ts';
import type { CallStore } from '../../../ports/calls.ts';
import type { StoreParts } from '../pool.ts';
import { violatesUnique } from '../postgresErrors.ts';
import { findCallElsewhere, missingId, pageOf } from '../queries.ts';
import { readCall, readListedCall } from './callRows.ts';
import { fateOf, pruneDecided, ruleOut } from './decideCall.ts';
import { activeCallOf, activeCalls, activeCallsOf, callById, callsInProgress, correctionsOf, customerNamesOf, platformCallsOf, silentCalls, unnamedCallOf } from './findCalls.ts';
import { isStorableText, textFor } from '../storableValues.ts';
import { callIdsSince, callIdsUntil } from './callIds.ts';
import { insertCall, updateCall, updateScreenPop } from './writeCall.ts';

/** The index that allows an agent's softphone one call that has not ended. */
const oneActiveCall = 'call_active_key';
/** The index that allows an agent each call of a platform once. */
const oncePerPlatformCall = 'call_platform_key';

/** Calls in PostgreSQL, written together with the webhooks that announce their changes. */
export function createCallStore({ pool, prisma, clock }: StoreParts): CallStore {
  const now = () => new Date(clock.now());

  return {
    async create(call, events, { remember, by, onSend, override = null } = {}) {
      try {
        const leftMs = () => (by === undefined ? null : by - clock.now());
        return await insertCall(pool, call, events, { now: now(), remember, override, leftMs, onSend });
      } catch (error) {
        if (violatesUnique(error, oncePerPlatformCall) || (call.platform !== null && violatesUnique(error, oneActiveCall))) return 'known';
        if (violatesUnique(error, oneActiveCall)) return 'agent_has_call';
        throw error;
      }
    },

    ruleOut: (companyId, id) => ruleOut(pool, companyId, id),

    async fate(companyId, id) {
      const { isDecided, row } = await fateOf(pool, companyId, id);
      if (row !== null) return { kind: 'recorded', call: readCall(row) };
      return { kind: isDecided ? 'ruled_out' : 'open' };
    },

    pruneDecided: (before, limit) => pruneDecided(pool, before, limit),

    async commit(next, events, { log = null, callback = null, correction = null } = {}) {
      return (await updateCall(pool, next, { events, log, callback, correction }, now())) ? 'committed' : 'conflict';
    },

    async commitScreenPop(next) {
      return (await updateScreenPop(pool, next)) ? 'committed' : 'conflict';
    },

    async find(companyId, id) {
      const row = await callById(pool, companyId, id);
      return row === undefined ? missingId(pool, findCallElsewhere, id) : { kind: 'found', value: readCall(row) };
    },

    async findActive(companyId, agentId) {
      const row = await activeCallOf(pool, companyId, agentId);
      return row === undefined ? null : readCall(row);
    },

    async findActiveOf(agents) {
      const rows = await activeCallsOf(pool, agents);
      return new Map(rows.map(({ agentId, callId }) => [toId<AgentId>(agentId), toId<CallId>(callId)]));
    },

    async unnamedOfPlatform(companyId, agentId, source) {
      const row = await unnamedCallOf(pool, companyId, agentId, source);
      return row === null ? null : readCall(row);
    },

    async ofPlatform(companyId, source, platformCallId) {
      return isStorableText(platformCallId) ? (await platformCallsOf(pool, companyId, source, platformCallId)).map(readCall) : [];
    },

    async silent({ ringingSince, since, limit }) {
      return (await silentCalls(pool, ringingSince, since, limit)).map(readCall);
    },

    listInProgress: (companyId) => callsInProgress(pool, companyId),

    async attachRecording(companyId, id, recordingUrl) {
      return (await prisma.call.updateMany({ where: { companyId, id }, data: { recordingUrl: textFor('recording_url', recordingUrl) } })).count > 0;
    },

    async saveNotes(companyId, id, notes) {
      return (await prisma.call.updateMany({ where: { companyId, id, disposedAt: null }, data: { notesDraft: textFor('notes', notes) } })).count > 0;
    },

    corrections: (companyId, id) => correctionsOf(pool, companyId, id),

    async list(companyId, { since, until, agentIds, ...filter }, { cursor, limit }) {
      const rows = await prisma.call.findMany({
        where: {
          companyId,
          ...filter,
          AND: [
            agentIds === undefined ? {} : { agentId: { in: agentIds } },
            // Ids grow with the time at which they were made: what is far off is not read.
            cursor === null ? {} : { id: { lt: cursor } },
            since === undefined ? {} : { id: { gte: callIdsSince(since) }, createdAt: { gte: since } },
            until === undefined ? {} : { id: { lt: callIdsUntil(until) }, createdAt: { lt: until } },
          ],
        },
        orderBy: { id: 'desc' },
        take: limit + 1,
        omit: { metadata: true, screenPop: true, metadataText: true, screenPopText: true },
      });
      const unnamed = rows.filter((row) => row.customerName === null).map(({ id }) => id);
      const names = unnamed.length === 0 ? null : await customerNamesOf(pool, companyId, unnamed);
      return pageOf(rows, limit, (row) => readListedCall({ ...row, customerName: row.customerName ?? names?.get(row.id) ?? null }));
    },

    async listActive(before, page) {
      const { rows, nextCursor } = await activeCalls(pool, before, page);
      return { items: rows, nextCursor };
    },
  };
}
