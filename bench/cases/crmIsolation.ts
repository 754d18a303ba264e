import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { PlayedCrms } from '../load/playedCrms.ts';
import { interleave } from '../measure/interleave.ts';
import { percentile } from '../measure/statistics.ts';
import type { Plan } from '../plan.ts';
import type { Comparison } from '../report/rows.ts';
import { addCallLogs, allLogged, createLoggingCompanies } from '../room/callLogs.ts';
import { withCaseRoom, type CaseRoom } from '../room/room.ts';
import { type BenchCase, deadCrmGoals } from './case.ts';

/** How the CRM of the dead ones behaves; `none`: there are none of them. */
type Dead = 'none' | 'hangs' | 'refuses';
/**
 * Milliseconds from due to logged while calls come one by one; and calls logged per second when many fall due at once.
 */
type Logging = { waits: number[]; perSecond: number };

/** Before anything is measured: the dead ones' first requests are under way. */
const headStartMs = 2_000;
const patienceMs = 300_000;

/**
 * What companies whose CRM is dead, each with a call to be logged, cost those whose CRM answers. Each time at
 * a gateway that has just been started, and has logged calls of other companies only: it does not know yet
 * that these are answered.
 */
export const crmIsolationCase: BenchCase = {
  name: 'crmIsolation',
  async run(room, plan) {
    const contender = (dead: Dead) => () => withCaseRoom(room, (fresh) => logCalls(fresh, plan, dead));
    const { none, hangs, refuses } = await interleave(plan.repetitions, {
      none: contender('none'),
      hangs: contender('hangs'),
      refuses: contender('refuses'),
    });
    return [...rowsOf(plan, 'hangs', hangs, none), ...rowsOf(plan, 'refuses', refuses, none)];
  },
};

async function logCalls(room: CaseRoom, plan: Plan, dead: Dead): Promise<Logging> {
  const crms = room.worker<PlayedCrms>('load/playedCrms.ts');
  const { answering, hanging, refusing } = await crms.ask('listen', null);
  const encryptionKey = randomBytes(32).toString('hex');
  const baseUrls = { custom: answering, freshdesk: dead === 'refuses' ? refusing : hanging };
  const env = {
    ENCRYPTION_KEY: encryptionKey,
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'loopback',
    DRAIN_SECONDS: '0',
    CRM_BASE_URLS: JSON.stringify(baseUrls),
  };
  const credentials = {
    lookup_url: 'https://erp.example.com/customers?phone={phone}',
    log_url: 'https://erp.example.com/calls',
  };
  const wellNeeds = { count: plan.loggingCompanies, provider: 'custom', credentials, encryptionKey };
  const warmUp = await createLoggingCompanies(room, wellNeeds);
  const well = await createLoggingCompanies(room, wellNeeds);
  const unwell = await createLoggingCompanies(room, {
    count: dead === 'none' ? 0 : plan.deadCompanies,
    provider: 'freshdesk',
    credentials: { domain: 'bench.freshdesk.com', api_key: 'key-of-the-bench' },
    encryptionKey,
  });
  const companyIds = [...warmUp, ...well, ...unwell].map(({ companyId }) => companyId);
  try {
    await room.gateways(1, { env });
    await addCallLogs(room, warmUp, warmUp.length);
    await allLogged(room, warmUp, patienceMs);
    await addCallLogs(room, unwell, unwell.length);
    await delay(headStartMs);
    await addCallLogs(room, well, Math.round(plan.logsPerSecond * plan.logSeconds), plan.logSeconds);
    const single = await allLogged(room, well, patienceMs);
    const waits = single.map(({ dueAt, loggedAt }) => loggedAt - dueAt);
    await room.pool.query('DELETE FROM crm_delivery WHERE company_id = ANY($1)', [
      well.map(({ companyId }) => companyId),
    ]);
    await addCallLogs(room, well, plan.logsAtOnce);
    const atOnce = await allLogged(room, well, patienceMs);
    const tookMs = Math.max(...atOnce.map(({ loggedAt }) => loggedAt)) - Math.min(...atOnce.map(({ dueAt }) => dueAt));
    room.say(
      `  ${dead}: p50 ${percentile(waits, 50).toFixed(0)} ms, p99 ${percentile(waits, 99).toFixed(0)} ms, ` +
        `${((plan.logsAtOnce * 1_000) / tookMs).toFixed(0)} calls/s`,
    );
    return { waits, perSecond: (plan.logsAtOnce * 1_000) / tookMs };
  } finally {
    // What waits must not meet the next gateway.
    await room.pool.query('DELETE FROM company WHERE id = ANY($1)', [companyIds]);
  }
}

function rowsOf({ deadCompanies }: Plan, dead: Dead, disturbed: Logging[], undisturbed: Logging[]): Comparison[] {
  const when = `${deadCompanies.toLocaleString('en-US')} companies’ CRM ${dead}; without them`;
  const wait = (percent: number): Comparison => {
    const of = (all: Logging[]) => all.map(({ waits }) => percentile(waits, percent));
    return {
      what: `${when}: the others’ calls, from due to logged, p${percent}`,
      unit: 'ms',
      readyline: of(disturbed),
      bare: of(undisturbed),
      goal: deadCrmGoals.wait,
    };
  };
  const rates = (all: Logging[]) => all.map(({ perSecond }) => perSecond);
  return [
    wait(50),
    wait(99),
    {
      what: `${when}: the others’ calls that fall due at once`,
      unit: 'calls/s',
      readyline: rates(disturbed),
      bare: rates(undisturbed),
      goal: deadCrmGoals.rate,
    },
  ];
}
