import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { root, startProgram, type Program } from '../../../demo/cluster/program.ts';
import { createTokenIssuer } from '../../../src/adapters/crypto/tokenIssuer.ts';
import { isClaimable } from '../../../src/domain/presence.ts';
import { toId, type AgentId, type CompanyId } from '../../../src/domain/ids.ts';
import { comes } from '../../support/time/pace.ts';
import { openCluster, type ChaosCluster } from '../chaosCluster.ts';
import { Ledger } from '../ledger.ts';
import { Clicks } from '../load/clicks.ts';
import { createCompany, type ChaosCompany } from '../load/company.ts';
import { readPresence } from '../presenceWatch.ts';
import { logsOf } from '../scenario.ts';
import { wayOf } from '../world.ts';
import type { CrowdFigures, CrowdOrder } from './crowd.ts';

const agentsPerCompany = 250;

export type StormReport = {
  figures: CrowdFigures;
  /** From the kill until everybody was Ready again. */
  allBackMs: number;
  /** Agents whom Redis does not have at a gateway that works, connected and, but for those who were too late, Ready. */
  astray: string[];
  /** Answers to clicks afterwards, one in each company, by kind. */
  clicks: Record<string, number>;
};

/**
 * Connects so many softphones to one gateway, starts two more, kills the first, and waits until everybody is back.
 * Throws when a softphone is lost for good, or not back in time.
 */
export async function storm(softphones: number): Promise<StormReport> {
  const secret = randomBytes(32).toString('hex');
  const chaos = await openCluster({ gateways: 1, env: { JWT_SECRET: secret } });
  let crowd: Program | null = null;
  try {
    const companies = await populate(chaos, Buffer.from(secret), softphones);
    const order: CrowdOrder = {
      url: chaos.cluster.url,
      tokens: companies.flatMap(({ agents }) => agents.map(({ token }) => token)),
    };
    crowd = startProgram(process.execPath, [join(root, 'scripts/run.mjs'), join(root, 'test/chaos/storm/crowd.ts')], {
      input: JSON.stringify(order),
    });
    await crowd.says(/^ALL READY/m);
    for (let more = 0; more < 2; more += 1) {
      await chaos.names.learn(
        await chaos.cluster.addGateway({ env: { JWT_SECRET: secret, REDIS_URL: chaos.redisUrl } }),
      );
    }
    const [first] = chaos.cluster.gateways;
    if (first === undefined) throw new Error('the cluster has gateways');
    const killedAt = performance.now();
    await first.kill('SIGKILL');
    const figures = await everybodyBack(crowd);
    const allBackMs = Math.round(performance.now() - killedAt);
    return {
      figures,
      allBackMs,
      astray: await astray(chaos, companies, figures.tooLate > 0),
      clicks: await clickOnce(chaos, companies),
    };
  } catch (error) {
    console.error(JSON.stringify(logsOf(chaos), null, 2));
    throw error;
  } finally {
    await crowd?.stop('SIGKILL');
    await chaos.stop();
  }
}

async function everybodyBack(crowd: Program): Promise<CrowdFigures> {
  const [, outcome, figures] = await comes(
    () => /^(ALL BACK|LOST) (.*)$/m.exec(crowd.stdout) ?? undefined,
    (tell) => {
      crowd.child.stdout?.on('data', tell);
      return () => void crowd.child.stdout?.off('data', tell);
    },
    () => `not everybody was back in time:\n${crowd.stdout.slice(-2_000)}\n${crowd.stderr.slice(-2_000)}`,
  );
  if (outcome === 'LOST') throw new Error(`softphones gave up: ${figures}`);
  return JSON.parse(figures ?? '') as CrowdFigures;
}

/** Accounts straight into the table, and tokens as the gateway signs them: thousands of log-ins are another test. */
async function populate({ cluster }: ChaosCluster, secret: Buffer, softphones: number): Promise<ChaosCompany[]> {
  const tokens = createTokenIssuer({ secret, clock: { now: () => Date.now() } });
  const client = new pg.Client({ connectionString: cluster.databaseUrl });
  await client.connect();
  try {
    const companies: ChaosCompany[] = [];
    for (let left = softphones; left > 0; left -= agentsPerCompany) {
      const { url, platformToken } = cluster;
      const company = await createCompany({ url, platformToken, agents: 0, wrapUpSeconds: 0 });
      const ids = Array.from({ length: Math.min(left, agentsPerCompany) }, () => randomUUID());
      await client.query(
        `INSERT INTO agent (id, company_id, agent_code, name, role, password_hash, updated_at)
         SELECT id::uuid, $1, 's' || place, 'Softphone ' || place, 'agent', 'none', now()
         FROM unnest($2::text[]) WITH ORDINALITY AS list (id, place)`,
        [company.id, ids],
      );
      const agents = ids.map((id, index) => {
        const claims = {
          sub: toId<AgentId>(id),
          company_id: toId<CompanyId>(company.id),
          role: 'agent',
          ver: 1,
        } as const;
        return { id, code: `s${index + 1}`, token: tokens.issue(claims, 3_600).token };
      });
      companies.push({ ...company, agents });
    }
    return companies;
  } finally {
    await client.end();
  }
}

async function astray(
  { redis, names }: ChaosCluster,
  companies: readonly ChaosCompany[],
  someTooLate: boolean,
): Promise<string[]> {
  const found = await Promise.all(
    companies.flatMap(({ id, agents }) => agents.map((agent) => readPresence(redis, id, agent.id))),
  );
  return found.flatMap((presence) => {
    if (presence === null) return ['an agent without a presence'];
    const at = names.nameOf(presence.nodeId);
    const isAsItShould =
      isClaimable(presence) ||
      (someTooLate && presence.connection === 'connected' && presence.reason === 'connection_lost');
    if (isAsItShould && at !== 'g1' && at !== null) return [];
    return [`${presence.agentId}: ${presence.state} ${presence.connection} at ${at}`];
  });
}

async function clickOnce(
  { cluster }: ChaosCluster,
  companies: readonly ChaosCompany[],
): Promise<Record<string, number>> {
  const clicks = new Clicks(new Ledger());
  const ways = cluster.gateways.slice(1).map(wayOf);
  const counts: Record<string, number> = {};
  try {
    for (const [index, company] of companies.entries()) {
      const way = ways[index % ways.length];
      if (way === undefined) continue;
      const answer = await clicks.click(company, way);
      const kind = answer.kind === 'refused' ? answer.code : answer.kind;
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
  } finally {
    await clicks.close();
  }
  return counts;
}
