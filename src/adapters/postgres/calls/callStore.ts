import type { CallStep } from '../../../domain/callSteps.ts';
import { type AgentId, type CallId, toId } from '../../../domain/ids.ts';
import type { CallStore } from '../../../ports/calls.ts';
import type { StoreParts } from '../pool.ts';
import { takenIndex } from '../postgresErrors.ts';
import { findCallElsewhere, missingId, run } from '../queries.ts';
import { callIdsSince } from './callIds.ts';
import { readCall } from './callRows.ts';
import { fateOf, pruneDecided, ruleOut } from './decideCall.ts';
import {
  activeCalls,
  activeCallsOf,
  activeCallsOfAgent,
  callById,
  callsInProgress,
  conversationOf,
  correctionsOf,
  platformCallsOf,
  silentCalls,
  unnamedCallOf,
} from './findCalls.ts';
import { isStorableText, textFor } from '../storableValues.ts';
import { listCalls } from './listCalls.ts';
import { previousCallsOf } from './previousCalls.ts';
import { countMissedCalls, longestMs } from './searchCalls.ts';
import { storedTags } from './tagRows.ts';
import { insertCall, updateCall, updateCaller, updateScreenPop } from './writeCall.ts';
import { createWrittenCalls } from './writtenCalls.ts';

/** The index that allows an agent's softphone one call in each slot that has not ended. */
const oneActiveCall = 'call_active_key';
/** The index that allows an agent each call of a platform once. */
const oncePerPlatformCall = 'call_platform_key';

/** Calls in PostgreSQL, written together with the webhooks that announce their changes. */
export function createCallStore({ pool, prisma, clock, reserve }: StoreParts): CallStore {
  const now = () => new Date(clock.now());
  const written = createWrittenCalls();

  return {
    async create(call, events, { remember, by, onSend, log = null, override = null } = {}) {
      try {
        const leftMs = () => (by === undefined ? null : by - clock.now());
        const created = await insertCall(pool, call, events, { now: now(), remember, log, override, leftMs, onSend });
        if (created === 'created') written.keep(call);
        return created;
      } catch (error) {
        const taken = takenIndex(error);
        if (taken === oncePerPlatformCall) return 'known';
        if (taken === oneActiveCall) return call.platform === null ? 'agent_has_call' : 'known';
        throw error;
      }
    },

    ruleOut: (companyId, id) => ruleOut(reserve, companyId, id),

    async fate(companyId, id) {
      const { isDecided, row } = await fateOf(reserve, companyId, id);
      if (row !== null) return { kind: 'recorded', call: readCall(row) };
      return { kind: isDecided ? 'ruled_out' : 'open' };
    },

    pruneDecided: (before, limit) => pruneDecided(pool, before, limit),

    async commit(next, events, { log = null, callback = null, correction = null, step = null, tags = null } = {}) {
      return written.changed(
        next,
        await updateCall(pool, next, { events, log, callback, correction, step, tags }, now()),
      );
    },

    async commitScreenPop(next) {
      return written.changed(next, await updateScreenPop(pool, next));
    },

    async commitCaller(next, step) {
      return written.changed(next, await updateCaller(pool, next, step));
    },

    recall: (companyId, id) => written.find(companyId, id),

    async find(companyId, id) {
      const row = await callById(pool, companyId, id);
      return row === undefined ? missingId(pool, findCallElsewhere, id) : { kind: 'found', value: readCall(row) };
    },

    async conversation(companyId, id) {
      return (await conversationOf(pool, companyId, id)).map(readCall);
    },

    async findActive(companyId, agentId) {
      return (await activeCallsOfAgent(pool, companyId, agentId)).map(readCall);
    },

    async findActiveOf(agents) {
      const found = new Map<AgentId, CallId[]>();
      for (const { agentId, callId } of await activeCallsOf(pool, agents)) {
        const calls = found.get(toId<AgentId>(agentId)) ?? [];
        found.set(toId<AgentId>(agentId), [...calls, toId<CallId>(callId)]);
      }
      return found;
    },

    async unnamedOfPlatform(companyId, agentId, source) {
      const row = await unnamedCallOf(pool, companyId, agentId, source);
      return row === null ? null : readCall(row);
    },

    async ofPlatform(companyId, source, platformCallId) {
      return isStorableText(platformCallId)
        ? (await platformCallsOf(pool, companyId, source, platformCallId)).map(readCall)
        : [];
    },

    async silent({ ringingSince, since, limit }) {
      return (await silentCalls(pool, ringingSince, since, limit)).map(readCall);
    },

    listInProgress: (companyId, of) => callsInProgress(pool, companyId, of),

    async attachRecording(companyId, id, recordingUrl) {
      return (
        (
          await prisma.call.updateMany({
            where: { companyId, id, erasedAt: null },
            data: { recordingUrl: textFor('recording_url', recordingUrl) },
          })
        ).count > 0
      );
    },

    async saveDraft(companyId, id, { tags, notesDraft, ...chosen }) {
      const data = {
        ...chosen,
        ...(notesDraft === undefined ? {} : { notesDraft: textFor('notes', notesDraft) }),
        ...(tags === undefined ? {} : { tags: storedTags(tags) }),
      };
      const open = { companyId, id, disposedAt: null, erasedAt: null };
      const { count } = await prisma.call.updateMany({
        where: { ...open, OR: [{ draftAt: null }, { draftAt: { lte: chosen.draftAt } }] },
        data,
      });
      if (count > 0) return 'saved';
      return (await prisma.call.count({ where: open })) > 0 ? 'older' : 'gone';
    },

    async steps(companyId, id) {
      const row = await prisma.call.findUnique({ where: { companyId_id: { companyId, id } }, select: { steps: true } });
      const steps = (row?.steps ?? []) as (Omit<CallStep, 'at'> & { at: string })[];
      return steps.map((step) => ({ ...step, at: new Date(step.at) }) as CallStep);
    },

    corrections: (companyId, id) => correctionsOf(pool, companyId, id),

    previous: (companyId, phone, before, limit) => previousCallsOf(pool, companyId, phone, before, limit),

    async countMissed(companyId, agentId, after, atMost) {
      const [row] = await run<{ count: number }>(pool, countMissedCalls, [
        companyId,
        agentId,
        callIdsSince(new Date(after.getTime() - longestMs)),
        after,
        atMost,
      ]);
      return row?.count ?? 0;
    },

    list: (companyId, filter, page) => listCalls(pool, companyId, filter, page),

    async listActive(before, page) {
      const { rows, nextCursor } = await activeCalls(pool, before, page);
      return { items: rows, nextCursor };
    },
  };
}
