import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSecretCipher } from '../../src/adapters/crypto/secretCipher.ts';
import { sealCredentials } from '../../src/usecases/crm/crmAccount.ts';
import type { HttpLoader } from '../load/http.ts';
import type { Clicker, ClickTimes, Softphones } from '../load/softphones.ts';
import { interleave } from '../measure/interleave.ts';
import { percentile } from '../measure/statistics.ts';
import type { Row } from '../report/rows.ts';
import type { BenchCompany } from '../room/company.ts';
import { loadServer } from '../room/restStacks.ts';
import type { CaseRoom } from '../room/room.ts';
import type { Worker } from '../worker.ts';
import type { BenchCase } from './case.ts';

/** As many lookups as are under way at a time. */
const connections = 32;
/** Of what a company without a CRM gets. */
const lookupGoal = { atLeast: 0.9 };
const clickGoal = { atMost: 1.1 };

/**
 * What a connected CRM costs, beside a company at the same gateway whose CRM pushes: lookups of what the CRM has told
 * already, and clicks on numbers that nobody knows while the CRM hangs.
 */
export const crmCase: BenchCase = {
  name: 'crm',
  async run(room, plan) {
    const hanging = createServer(() => {});
    hanging.listen(0, '127.0.0.1');
    await once(hanging, 'listening');
    try {
      const encryptionKey = randomBytes(32).toString('hex');
      const url = `http://127.0.0.1:${String((hanging.address() as AddressInfo).port)}`;
      const env = { ENCRYPTION_KEY: encryptionKey, CRM_BASE_URLS: JSON.stringify({ hubspot: url }) };
      const [gateway] = (await room.gateways(1, { env })).gateways;
      if (gateway === undefined) throw new Error('no gateway was started');
      const size = { customers: plan.customers, agents: plan.agents };
      const [pushed, pulling, unpushed, hung] = [
        await room.company(size),
        await room.company(size),
        await room.company(size),
        await room.company(size),
      ];
      for (const company of [pulling, hung]) await connect(room, company, encryptionKey);
      await room.pool.query("UPDATE screen_pop_entry SET expires_at = now() + interval '1 day' WHERE company_id = $1", [
        pulling.id,
      ]);
      await room.pool.query('DELETE FROM screen_pop_entry WHERE company_id = ANY($1)', [[unpushed.id, hung.id]]);

      const loader = room.worker<HttpLoader>('load/http.ts');
      const lookUps =
        (company: BenchCompany) =>
        (seconds = plan.seconds) => {
          const requests = company.phones.map((phone) => ({
            method: 'GET' as const,
            path: `/api/integrations/lookup?phone=${encodeURIComponent(phone)}`,
          }));
          return loadServer(
            room,
            loader,
            { url: gateway.url, pid: gateway.pid, company },
            { headers: { 'x-service-api-key': company.apiKey }, requests, connections, seconds },
          );
        };
      const contenders = { pulled: lookUps(pulling), pushed: lookUps(pushed) };
      for (const warmUp of Object.values(contenders)) await warmUp(plan.warmUpSeconds);
      const { pulled, pushed: usual } = await interleave(plan.repetitions, contenders);

      const clicks = {
        hung: await clicksOf(room, gateway.url, hung),
        unpushed: await clicksOf(room, gateway.url, unpushed),
      };
      for (const warmUp of Object.values(clicks)) await warmUp(plan.idleClicks);
      const times = await interleave(plan.repetitions, {
        hung: () => clicks.hung(plan.idleClicks),
        unpushed: () => clicks.unpushed(plan.idleClicks),
      });
      return [
        {
          what: 'lookup of what the CRM has told; of what it has pushed',
          unit: 'requests/s',
          readyline: pulled.map(({ perSecond }) => perSecond),
          bare: usual.map(({ perSecond }) => perSecond),
          goal: lookupGoal,
        },
        clickRow('to the pop', times.hung, times.unpushed, ({ toPop }) => toPop),
        clickRow('to the 201', times.hung, times.unpushed, ({ toAnswer }) => toAnswer),
      ];
    } finally {
      hanging.closeAllConnections();
      hanging.close();
    }
  },
};

function clickRow(what: string, hung: ClickTimes[], usual: ClickTimes[], of: (times: ClickTimes) => number[]): Row {
  const median = (all: ClickTimes[]) => all.map((times) => percentile(of(times), 50));
  return {
    what: `click while the CRM hangs; with none: ${what}, p50`,
    unit: 'ms',
    readyline: median(hung),
    bare: median(usual),
    goal: clickGoal,
  };
}

/** Connects a company to the CRM that hangs, without asking it. */
async function connect({ pool }: CaseRoom, { id }: BenchCompany, encryptionKey: string): Promise<void> {
  const sealed = sealCredentials(createSecretCipher(Buffer.from(encryptionKey, 'hex')), id, {
    access_token: 'token-of-the-bench',
  });
  await pool.query(
    `INSERT INTO crm_connection (company_id, provider, credentials_encrypted, options, facts, account, keep_seconds,
      log_calls, updated_at)
    VALUES ($1, 'hubspot', $2, '{}', '{}', 'Bench', 600, 'none', now())`,
    [id, sealed],
  );
  await pool.query("UPDATE integration SET crm_provider = 'hubspot', mode = 'pull' WHERE company_id = $1", [id]);
}

async function clicksOf(
  room: CaseRoom,
  url: string,
  { agents, apiKey, phones }: BenchCompany,
): Promise<(count: number) => Promise<ClickTimes>> {
  const softphones: Worker<Softphones> = room.worker<Softphones>('load/softphones.ts');
  await softphones.ask('connect', {
    stack: 'readyline',
    urls: [url],
    tokens: agents.map(({ token }) => token),
    ready: true,
  });
  const clicker: Clicker = { url, path: '/api/integrations/cti/click-to-dial', apiKey, phones };
  return (count) => softphones.ask('clickInTurn', { ...clicker, count });
}
