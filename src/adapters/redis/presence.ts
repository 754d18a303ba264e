import { randomUUID } from 'node:crypto';
import type { Cluster, Redis } from 'ioredis';
import { toId, type AgentId, type CompanyId } from '../../domain/ids.ts';
import { claimTtlMs, isClaimable, nextDeadline, type Presence } from '../../domain/presence.ts';
import type { ClaimOutcome, PresenceStore } from '../../ports/presence.ts';
import { createCompanyIndex } from './companyIndex.ts';
import { agentKey, companyKeys, epochKey } from './keys.ts';
import { fieldsOfList, presenceFromFields, presenceToFields } from './presenceFields.ts';
import { loadScript, runScript, texts } from './scripts.ts';
import { startServerClock } from './serverClock.ts';

/** Presences read in one go by `list`. */
const batchSize = 500;

/**
 * The presence that all gateways share. Needs Redis 6.2 or later. Rejects when Redis cannot be reached.
 * `close` leaves the connection open: whoever opened it closes it.
 * @param now milliseconds since the epoch; by default the Redis server's time
 */
export async function createRedisPresence({
  redis,
  now: givenNow,
}: {
  redis: Redis | Cluster;
  now?: () => number;
}): Promise<PresenceStore> {
  const claimScript = loadScript('claim');
  const commitScript = loadScript('commit');
  const companies = createCompanyIndex(redis);
  const { now, stop } = givenNow ? { now: givenNow, stop: () => undefined } : await startServerClock(redis);

  async function find(companyId: CompanyId, agentId: AgentId): Promise<Presence | null> {
    return presenceFromFields(companyId, agentId, await redis.hgetall(agentKey(companyId, agentId)));
  }

  return {
    now,
    find,

    async list(companyId) {
      const agentIds = await redis.smembers(companyKeys(companyId).agents);
      const presences: Presence[] = [];
      for (let start = 0; start < agentIds.length; start += batchSize) {
        const batch = agentIds.slice(start, start + batchSize);
        const found = await Promise.all(batch.map((agentId) => find(companyId, toId<AgentId>(agentId))));
        presences.push(...found.filter((presence) => presence !== null));
      }
      return presences;
    },

    async claim(companyId, { agentId, claimId, callId }): Promise<ClaimOutcome> {
      const { idle, deadlines, agentPrefix } = companyKeys(companyId);
      const time = now();
      const args = [agentPrefix, agentId ?? '', claimId, callId, time, time + claimTtlMs];
      const [kind, chosen, ...fields] = texts(await runScript(redis, claimScript, [idle, deadlines], args));
      if (kind === 'none_ready' || chosen === undefined) return { kind: 'none_ready' };
      const presence = presenceFromFields(companyId, toId<AgentId>(chosen), fieldsOfList(fields));
      if (kind !== 'claimed') return { kind: 'not_ready', presence };
      if (presence === null) throw new Error('a claimed agent has no presence');
      return { kind: 'claimed', presence };
    },

    async commit(companyId, expectedVersion, next) {
      const { agents, idle, deadlines } = companyKeys(companyId);
      const forgotten = next.state === 'offline';
      const deadline = nextDeadline(next);
      const indexes = [isClaimable(next) ? (next.idleSince ?? '') : '', forgotten ? '' : (deadline ?? '')];
      const fields = forgotten ? [] : presenceToFields(next);
      const keys = [agentKey(companyId, next.agentId), agents, idle, deadlines];
      const args = [next.agentId, expectedVersion, ...indexes, ...fields];
      // One connection keeps their order, so both take a single round trip.
      const [result] = await Promise.all([
        runScript(redis, commitScript, keys, args),
        forgotten ? undefined : companies.note(companyId, deadline, now()),
      ]);
      return result === 'committed' ? 'committed' : 'conflict';
    },

    due: (limit) => companies.due(now(), limit),

    async epoch() {
      await redis.set(epochKey, randomUUID(), 'NX');
      return (await redis.get(epochKey)) ?? '';
    },

    async ping() {
      await redis.ping();
    },

    async close() {
      stop();
    },
  };
}
