import type { Cluster, Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { groupOf } from '../../domain/agentGroups.ts';
import { decidePresence } from '../../domain/agentStates.ts';
import { toId, type AgentId, type CompanyId } from '../../domain/ids.ts';
import { claimTtlMs, isClaimable, nextDeadline, type Presence } from '../../domain/presence.ts';
import type { ClaimOutcome, PresenceStore } from '../../ports/presence.ts';
import { createDueCompanies } from './dueCompanies.ts';
import { digestOf } from './groups.ts';
import { createRestoreGuard } from './restoreGuard.ts';
import { agentKey, companyKeys, healthKey } from './keys.ts';
import type { RedisNodeTable } from './nodes.ts';
import { fieldsOfList, presenceFromFields, presenceToFields } from './presenceFields.ts';
import { loadScript, runScript, texts } from './scripts.ts';
import { startServerClock } from './serverClock.ts';

/** Presences read in one go by `list`. */
const batchSize = 500;

/**
 * Added to the version of a restored presence, so that nobody can have seen it: far above the changes that a
 * gateway may have missed.
 */
const versionLeap = 1_000;

const maxDeclarations = 20;

/** Far more than the teams of a company (500). */
const mostGroups = 1_000;
/** How often a gateway notes that a group is in use; far more often than unused ones are dropped. Milliseconds. */
const noteEveryMs = 120_000;
/** So often a group is made for one claim; after that its agents are sent with the claim. */
const maxGroupings = 3;

/**
 * The presence that all gateways share. Needs Redis 7.0 or later. Rejects when Redis cannot be reached.
 * `close` leaves the connection open: whoever opened it closes it.
 * @param now milliseconds since the epoch; by default the Redis server's time
 * @param onReconnect calls back whenever the server at the other end of the connection may be another one
 */
export async function createRedisPresence({
  redis,
  nodes,
  now: givenNow,
  onReconnect = () => undefined,
}: {
  redis: Redis | Cluster;
  nodes: RedisNodeTable;
  now?: () => number;
  onReconnect?: (listener: () => void) => void;
}): Promise<PresenceStore> {
  const scripts = {
    claim: loadScript('claim'),
    commit: loadScript('commit'),
    group: loadScript('group'),
    restore: loadScript('restore'),
  };
  const absentScript = loadScript('absent');
  const companies = createDueCompanies(redis);
  const noted = new LRUCache<string, true>({ max: 10_000, ttl: noteEveryMs });
  const guard = createRestoreGuard({ redis, nodes });
  onReconnect(() => guard.markSuspect());
  const { now, stop } = givenNow ? { now: givenNow, stop: () => undefined } : await startServerClock(redis);

  /** Repeats a command that was not executed because the company's keys might be incomplete. */
  async function guarded<T>(companyId: CompanyId, run: (generation: string) => Promise<T | 'unguarded'>): Promise<T> {
    for (let declarations = 0; declarations < maxDeclarations; declarations++) {
      const result = await run(await guard.generation());
      if (result !== 'unguarded') return result;
      await guard.declareComplete(companyId);
    }
    throw new Error('Redis keeps losing what it holds');
  }

  function find(companyId: CompanyId, agentId: AgentId): Promise<Presence | null> {
    const key = agentKey(companyId, agentId);
    return guarded(companyId, async (generation) => {
      for (;;) {
        const presence = presenceFromFields(companyId, agentId, await redis.hgetall(key));
        if (presence !== null) return presence;
        // No presence may also mean that the store has lost its data.
        const absent = await runScript(redis, absentScript, [key, companyKeys(companyId).guard], [generation]);
        if (absent === 'absent') return null;
        if (absent === 'unguarded') return 'unguarded';
      }
    });
  }

  return {
    now,
    find,

    async list(companyId, of = null) {
      const { agents, guard: guardKey } = companyKeys(companyId);
      const agentIds = await guarded(companyId, async (generation) => {
        const ids = await redis.smembers(agents);
        const absent = await runScript(redis, absentScript, [agents, guardKey], [generation]);
        return absent === 'unguarded' ? 'unguarded' : ids;
      });
      const present = new Set(agentIds.map((agentId) => toId<AgentId>(agentId)));
      const wanted = of === null ? [...present] : of.filter((agentId) => present.has(agentId));
      const presences: Presence[] = [];
      for (let start = 0; start < wanted.length; start += batchSize) {
        const batch = wanted.slice(start, start + batchSize);
        const found = await Promise.all(batch.map((agentId) => find(companyId, agentId)));
        presences.push(...found.filter((presence) => presence !== null));
      }
      return presences;
    },

    async claim(companyId, { agentId, among, except = [], claimId, callId }): Promise<ClaimOutcome> {
      const { idle, deadlines, guard: guardKey, agentPrefix, groups, groupsUsed } = companyKeys(companyId);
      const group = among === undefined ? null : groupOf(among);
      const digest = group === null ? '' : digestOf(group);
      const use = `${companyId} ${digest}`;
      const whom = (groupings: number) => {
        if (group !== null && groupings < maxGroupings)
          return ['group', digest, group.agentIds.length, noted.has(use) ? '' : 'note', except.join('')];
        if (among === undefined) return [agentId ?? ''];
        // In one text: each argument of its own would cost more than the claim itself.
        return ['among', among.filter((one) => !except.includes(one)).join('')];
      };
      const { time, result } = await guarded(companyId, async (generation) => {
        for (let groupings = 0; ; groupings += 1) {
          const asked = now();
          const args = [agentPrefix, claimId, callId, asked, asked + claimTtlMs, generation, ...whom(groupings)];
          const answer = texts(
            await runScript(redis, scripts.claim, [idle, deadlines, guardKey, groups, groupsUsed], args),
          );
          if (answer[0] === 'unguarded') return 'unguarded';
          if (answer[0] !== 'ungrouped' || group === null) {
            if (group !== null && answer[0] === 'claimed') noted.set(use, true);
            return { time: asked, result: answer };
          }
          const grouping = [digest, group.text, asked, generation, mostGroups];
          if ((await runScript(redis, scripts.group, [idle, groups, groupsUsed, guardKey], grouping)) === 'unguarded')
            return 'unguarded';
        }
      });
      const [kind, chosen, ...fields] = result;
      if (kind === 'none_ready' || chosen === undefined) return { kind: 'none_ready' };
      const before = presenceFromFields(companyId, toId<AgentId>(chosen), fieldsOfList(fields));
      if (kind !== 'claimed') return { kind: 'not_ready', presence: before };
      const claimed = decidePresence(before, { type: 'claim', claimId, callId }, time);
      if (claimed.kind !== 'changed') throw new Error('an agent was claimed who cannot be');
      return { kind: 'claimed', presence: claimed.next };
    },

    async commit(companyId, expectedVersion, next) {
      const { agents, idle, deadlines, guard: guardKey, nodePrefix, groups } = companyKeys(companyId);
      const forgotten = next.state === 'offline';
      const { idleSince, deadline } = indexed(next);
      const fields = forgotten ? [] : presenceToFields(next);
      const keys = [agentKey(companyId, next.agentId), agents, idle, deadlines, guardKey, groups];
      const nodeId = !forgotten && next.connection === 'connected' ? next.nodeId : null;
      if (nodeId !== null) await nodes.noteCompany(nodeId, companyId);
      return await guarded(companyId, async (generation) => {
        const args = [
          next.agentId,
          expectedVersion,
          idleSince,
          deadline,
          nodePrefix,
          nodeId ?? '',
          generation,
          ...fields,
        ];
        // Sent together on one connection, which keeps their order: a single round trip.
        const [result] = await Promise.all([
          runScript(redis, scripts.commit, keys, args),
          forgotten ? undefined : companies.note(companyId, nextDeadline(next), now()),
        ]);
        return result === 'committed' || result === 'unguarded' ? result : 'conflict';
      });
    },

    due: (limit) => companies.due(now(), limit),

    whenLost: (restore) => guard.onLoss(restore),
    check: () => guard.check(),
    async restore(known) {
      const { companyId, agentId, nodeId, lease, connectionSince } = known;
      if (nodeId === null || lease === null)
        throw new Error('only an agent who is connected to a gateway can be brought back');
      const next = { ...known, version: known.version + versionLeap };
      const { agents, idle, deadlines, nodePrefix, groups } = companyKeys(companyId);
      const { idleSince, deadline } = indexed(next);
      const places = [idleSince, deadline];
      await nodes.noteCompany(nodeId, companyId);
      const keys = [agentKey(companyId, agentId), agents, idle, deadlines, nodePrefix + nodeId, groups];
      const [result] = await Promise.all([
        runScript(redis, scripts.restore, keys, [
          agentId,
          lease,
          connectionSince,
          known.version,
          ...places,
          ...presenceToFields(next),
        ]),
        companies.note(companyId, nextDeadline(next), now()),
      ]);
      return result === 'restored' ? next : null;
    },

    // A change: a replica, a full server and a user without rights answer a PING.
    async ping() {
      await redis.set(healthKey, now(), 'PX', 60_000);
    },

    async close() {
      stop();
    },
  };
}

/** The agent's places in the company's indexes; '' for none. */
function indexed(presence: Presence): { idleSince: number | ''; deadline: number | '' } {
  return {
    idleSince: isClaimable(presence) ? (presence.idleSince ?? '') : '',
    deadline: presence.state === 'offline' ? '' : (nextDeadline(presence) ?? ''),
  };
}
