// Claims on the presence store itself, and what they would cost without its promises.
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { connectRedis } from '../../src/adapters/redis/connection.ts';
import { createNodeTable, type RedisNodeTable } from '../../src/adapters/redis/nodes.ts';
import { createRedisPresence } from '../../src/adapters/redis/presence.ts';
import {
  toId,
  type AgentId,
  type CallId,
  type ClaimId,
  type CompanyId,
  type Lease,
  type NodeId,
  type SessionId,
} from '../../src/domain/ids.ts';
import type { Presence } from '../../src/domain/presence.ts';
import type { PresenceStore, WantedAgent } from '../../src/ports/presence.ts';
import { bareAgentKey, bareIdleKey } from '../bare/keys.ts';
import { serveVerbs } from '../worker.ts';
import type { Stack } from './lines.ts';

export type Claims = {
  open(options: { redisUrl: string }): Promise<void>;
  /** Makes a company with so many Ready agents in either stack. */
  fill(options: { companyId: string; agents: number }): Promise<void>;
  /** Makes agents Ready, of readyline alone, at a gateway of their own that stays as long as this process does. */
  join(options: { companyId: string; agentIds: readonly string[] }): Promise<void>;
  /**
   * @param of whom the claims name; those of readyline alone may name others than anybody
   * @returns claims per second, ten at a time (two, where two are Ready); setting the agents free again is not timed
   */
  claim(options: { stack: Stack; companyId: string; claims: number; of: Claimed }): Promise<number>;
  /** @returns changes of agents' states per second, ten at a time; of one agent after the other */
  change(options: { companyId: string; changes: number }): Promise<number>;
};

/**
 * `any`: anybody; `two`: anybody, two at a time. `teams`: the agents are divided into teams of equal size,
 * which the claims name in turn. `few`: a team of that size, two of whom are Ready.
 */
export type Claimed =
  { kind: 'any' } | { kind: 'two' } | { kind: 'teams'; count: number } | { kind: 'few'; size: number };

const usualAtATime = 10;
/** A quarter of a gateway's lease. Milliseconds. */
const renewEveryMs = 1_000;
const writesAtATime = 200;
const nodeId = toId<NodeId>(randomUUID());
/** Time stands still, so no claim lapses in the middle of a long run. */
const startedAt = Date.now();
let lastIdleSince = startedAt;
/** The agents of each company. */
const filled = new Map<string, AgentId[]>();
let nodes: RedisNodeTable;
let presence: PresenceStore;
let redis: Redis;

serveVerbs({
  async open({ redisUrl }: { redisUrl: string }) {
    const connection = await connectRedis(redisUrl, { onError: (error) => console.error(error.message) });
    nodes = createNodeTable({ redis: connection, nodeId });
    await nodes.renew();
    presence = await createRedisPresence({ redis: connection, nodes, now: () => startedAt });
    redis = new Redis(redisUrl);
  },

  async fill({ companyId, agents }: { companyId: string; agents: number }) {
    for (let made = 0; made < agents; made += writesAtATime) {
      const batch = Array.from({ length: Math.min(writesAtATime, agents - made) }, () => toId<AgentId>(randomUUID()));
      const company = toId<CompanyId>(companyId);
      filled.set(companyId, [...(filled.get(companyId) ?? []), ...batch]);
      await Promise.all(batch.map((agentId) => presence.commit(company, 0, readyAgent(company, agentId, 1))));
      await Promise.all(batch.map((agentId) => becomeReadyBarely(companyId, agentId)));
    }
  },

  async join({ companyId, agentIds }: { companyId: string; agentIds: readonly string[] }) {
    setInterval(() => void nodes.renew(), renewEveryMs);
    const company = toId<CompanyId>(companyId);
    for (let made = 0; made < agentIds.length; made += writesAtATime) {
      const batch = agentIds.slice(made, made + writesAtATime).map((id) => toId<AgentId>(id));
      await Promise.all(batch.map((agentId) => presence.commit(company, 0, readyAgent(company, agentId, 1))));
    }
  },

  async claim({ stack, companyId, claims, of }: { stack: Stack; companyId: string; claims: number; of: Claimed }) {
    const wanted = wantedOf(companyId, of);
    const atATime = of.kind === 'two' || of.kind === 'few' ? 2 : usualAtATime;
    const batch =
      stack === 'readyline' ? () => claimSome(companyId, atATime, wanted) : () => claimBarely(companyId, atATime);
    let spentMs = 0;
    for (let done = 0; done < claims; done += atATime) spentMs += await batch();
    return claims / (spentMs / 1000);
  },

  async change({ companyId: id, changes }: { companyId: string; changes: number }) {
    const companyId = toId<CompanyId>(id);
    const present = await presence.list(companyId);
    const begun = performance.now();
    for (let done = 0; done < changes; done += usualAtATime) {
      const batch = present.slice(done % present.length, (done % present.length) + usualAtATime);
      const next = batch.map(({ agentId, version }) => readyAgent(companyId, agentId, version + 1));
      await Promise.all(next.map((one) => presence.commit(companyId, one.version - 1, one)));
      present.splice(done % present.length, batch.length, ...next);
    }
    return changes / ((performance.now() - begun) / 1000);
  },
} satisfies Claims);

/** Teams by company and kind, as a gateway keeps them: the same lists again with each claim. */
const teamsOf = new Map<string, AgentId[][]>();

/** Whom one claim after another may take. */
function wantedOf(companyId: string, of: Claimed): () => WantedAgent {
  if (of.kind === 'any' || of.kind === 'two') return () => ({});
  const key = `${companyId} ${of.kind}`;
  const teams = teamsOf.get(key) ?? teamsMade(filled.get(companyId) ?? [], of);
  teamsOf.set(key, teams);
  let next = 0;
  return () => ({ among: teams[(next += 1) % teams.length] ?? [] });
}

function teamsMade(agentIds: AgentId[], of: Claimed & { kind: 'teams' | 'few' }): AgentId[][] {
  if (of.kind === 'few') {
    const absent = Array.from({ length: of.size - 2 }, () => toId<AgentId>(randomUUID()));
    return [[...absent, ...agentIds.slice(-2)]];
  }
  const size = Math.ceil(agentIds.length / of.count);
  return Array.from({ length: of.count }, (_, team) => agentIds.slice(team * size, (team + 1) * size));
}

/** @returns how long the claims took. Milliseconds */
async function claimSome(id: string, atATime: number, wanted: () => WantedAgent): Promise<number> {
  const companyId = toId<CompanyId>(id);
  const begun = performance.now();
  const outcomes = await Promise.all(
    Array.from({ length: atATime }, () =>
      presence.claim(companyId, {
        ...wanted(),
        claimId: toId<ClaimId>(randomUUID()),
        callId: toId<CallId>(randomUUID()),
      }),
    ),
  );
  const spentMs = performance.now() - begun;
  const claimed = outcomes.map((outcome) => {
    if (outcome.kind !== 'claimed') throw new Error('nobody is Ready');
    return outcome.presence;
  });
  await Promise.all(
    claimed.map(({ agentId, version }) =>
      presence.commit(companyId, version, readyAgent(companyId, agentId, version + 1)),
    ),
  );
  return spentMs;
}

/** The one idle longest, taken out and marked: two commands, between which a crash would lose the agent. */
async function claimBarely(companyId: string, atATime: number): Promise<number> {
  const begun = performance.now();
  const agentIds = await Promise.all(
    Array.from({ length: atATime }, async () => {
      const [agentId] = await redis.zpopmin(bareIdleKey(companyId));
      if (agentId === undefined) throw new Error('nobody is Ready');
      const claim = { state: 'reserved', claimId: randomUUID(), callId: randomUUID(), since: startedAt };
      await redis.hset(bareAgentKey(companyId, agentId), claim);
      return agentId;
    }),
  );
  const spentMs = performance.now() - begun;
  await Promise.all(agentIds.map((agentId) => becomeReadyBarely(companyId, agentId)));
  return spentMs;
}

async function becomeReadyBarely(companyId: string, agentId: string): Promise<void> {
  lastIdleSince += 1;
  await Promise.all([
    redis.zadd(bareIdleKey(companyId), lastIdleSince, agentId),
    redis.hset(bareAgentKey(companyId, agentId), { state: 'ready', since: startedAt }),
  ]);
}

function readyAgent(companyId: CompanyId, agentId: AgentId, version: number): Presence {
  lastIdleSince += 1;
  return {
    companyId,
    agentId,
    version,
    state: 'ready',
    reason: null,
    since: startedAt,
    connection: 'connected',
    connectionSince: startedAt,
    pending: null,
    callId: null,
    second: null,
    toWrapUp: [],
    claimId: null,
    reservedFor: null,
    sessionId: toId<SessionId>(randomUUID()),
    lease: toId<Lease>(randomUUID()),
    nodeId,
    idleSince: lastIdleSince,
    expiresAt: null,
    platform: null,
  };
}
