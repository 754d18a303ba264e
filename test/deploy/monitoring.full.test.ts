import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '../../demo/cluster/freePort.ts';
import { type Program, root, searchPath, startProgram } from '../../demo/cluster/program.ts';
import { startGateway, type Gateway } from '../support/gateway/gateway.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';
import { eventually } from '../support/time/waiting.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';

type Rules = { groups: { rules: { alert: string; expr: string }[] }[] };
type Dashboard = { panels: { title: string; type: string; targets?: { expr: string }[] }[] };
type Series = { metric: Record<string, string>; value: [number, string] }[];

const rulesFile = join(root, 'deploy/prometheus/readyline.rules.yml');
const rules = (parse(await readFile(rulesFile, 'utf8')) as Rules).groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(await readFile(join(root, 'deploy/grafana/readyline.json'), 'utf8')) as Dashboard;
const queries = dashboard.panels.flatMap(({ targets = [], title }) =>
  targets.map(
    ({ expr }) => [title, expr.replaceAll('$job', '.*readyline.*').replaceAll('$__rate_interval', '30s')] as const,
  ),
);

let gateway: Gateway;
let receiver: WebhookReceiver;
let prometheus: Program;
let folder: string;
let url: string;

/** What Prometheus answers. */
async function ask<T>(path: string, parameters: Record<string, string> = {}): Promise<T> {
  const answer = (await (
    await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters).toString()}`)
  ).json()) as { status: string; error?: string; data: T };
  expect({ status: answer.status, error: answer.error }).toEqual({ status: 'success', error: undefined });
  return answer.data;
}

const series = async (query: string) => (await ask<{ result: Series }>('query', { query })).result;

/**
 * A morning of a company: a customer is pushed, a click is dialed and one finds nobody,
 * and the webhooks of both arrive.
 */
async function work(slug: string): Promise<void> {
  const company = await gateway.company({ slug, webhookUrl: receiver.url, agents: 1 });
  const [agent] = company.agents;
  await gateway.api
    .post('/api/integrations/inbound')
    .set('X-Service-Api-Key', company.key)
    .send({ phone_number: '+15551230001', data: { name: 'Grace Hopper' } })
    .expect(200);
  await gateway.click(company, { phone_number: '+15551230001' }).expect(503);
  const softphone = await gateway.readySoftphone(agent!);
  const dialing = nextEvent(softphone, 'dial');
  await gateway.click(company, { phone_number: '+15551230001' }).expect(201);
  await dialing;
  await receiver.waitFor(({ body }) => body.event === 'call_started' && body.company_id === company.id);
}

beforeAll(async () => {
  [receiver, folder] = await Promise.all([startWebhookReceiver(), mkdtemp(join(tmpdir(), 'readyline-prometheus-'))]);
  gateway = await startGateway('memory');
  const [port, config] = [await freePort(), join(folder, 'prometheus.yml')];
  url = `http://127.0.0.1:${String(port)}`;
  await writeFile(
    config,
    JSON.stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [rulesFile],
      scrape_configs: [{ job_name: 'readyline', static_configs: [{ targets: [new URL(gateway.url).host] }] }],
    }),
  );
  prometheus = startProgram('prometheus', [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${String(port)}`,
  ]);
  await prometheus.says(/Server is ready to receive web requests/);
  // Rates are of what came between two scrapes: what is told for the first time has grown by nothing.
  await work('watched-first');
  const isTold = async (query: string) => (await series(query)).length > 0;
  for (const told of [
    'readyline_click_to_dial_duration_seconds_count{outcome="dialing"} >= 1',
    'readyline_webhook_attempt_duration_seconds_count{outcome="delivered"} >= 1',
  ]) {
    await eventually(() => isTold(told));
  }
  await work('watched-next');
});
afterAll(async () => {
  await prometheus.stop();
  await gateway.close();
  await receiver.close();
  await rm(folder, { recursive: true, force: true });
});

/** The names of metrics in a query, as the gateway calls them. */
function metricsIn(query: string): string[] {
  const names = query.match(/\b(?:readyline|nodejs|process)_[a-z\d_]+/g) ?? [];
  return [
    ...new Set(
      names.map((name) =>
        /_seconds_(?:count|bucket|sum)$/.test(name) ? name.replace(/_(?:count|bucket|sum)$/, '') : name,
      ),
    ),
  ];
}

describe('what a running gateway tells', () => {
  it('has every metric that a rule or a panel asks for', async () => {
    const { text } = await gateway.api.get('/metrics').expect(200);
    const told = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
    const asked = [...rules.map(({ expr }) => expr), ...queries.map(([, expr]) => expr)].flatMap(metricsIn);
    expect(asked.length).toBeGreaterThan(40);
    expect(asked.filter((name) => !told.has(name))).toEqual([]);
  });

  it('is on the dashboard to the last metric that the documentation names', async () => {
    const documented = [
      ...(await readFile(join(root, 'docs/operating.md'), 'utf8')).matchAll(/^\| `(readyline_\w+)` +\|/gm),
    ].map(([, name = '']) => name);
    const shown = new Set(queries.flatMap(([, expr]) => metricsIn(expr)));
    expect(documented.length).toBeGreaterThan(15);
    expect(documented.filter((name) => !shown.has(name))).toEqual([]);
  });

  it.each(queries)('is understood by Prometheus where the panel "%s" asks for it: %s', async (_title, query) => {
    await series(query);
  });

  it.each([
    ['softphones', 'sum(readyline_softphones)', 2],
    ['gateways', 'sum(up{job=~".*readyline.*"})', 1],
  ])('counts %s', async (_what, query, count) => {
    await eventually(async () => expect(Number((await series(query))[0]?.value[1])).toBe(count));
  });

  it.each([
    'Clicks by outcome',
    'How long a click takes',
    'Dials offered to softphones',
    'Processor',
    'Event loop lag, 99 %',
    'Memory',
    'Requests by status',
    'The slowest routes, 95 %',
    'Customers pushed',
    'Attempts by outcome',
    'Until the first attempt',
    'What waits',
    'How old the oldest is',
    'Endpoints',
  ])('fills the panel "%s"', async (title) => {
    const own = queries.filter(([of]) => of === title);
    expect(own.length).toBeGreaterThan(0);
    for (const [, query] of own)
      await eventually(async () => (await series(query)).some(({ value }) => Number.isFinite(Number(value[1]))));
  });

  it('calls nobody while all is well, and every rule can be evaluated', async () => {
    type Evaluated = { groups: { rules: { name: string; health: string; lastError?: string; state: string }[] }[] };
    const read = async () => (await ask<Evaluated>('rules')).groups.flatMap((group) => group.rules);
    await eventually(async () => (await read()).every(({ health }) => health !== 'unknown'));
    const evaluated = await read();
    expect(evaluated.map(({ name }) => name).toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
    expect(evaluated.filter(({ health, state }) => health !== 'ok' || state === 'firing')).toEqual([]);
  });
});

it('each rule calls where something is wrong', async () => {
  type Tests = { tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[] };
  const { tests } = parse(await readFile(join(root, 'deploy/prometheus/readyline.tests.yml'), 'utf8')) as Tests;
  const calling = tests.flatMap((one) => one.alert_rule_test).filter((one) => one.exp_alerts.length > 0);
  // That a gateway that is well has none of them call stands above.
  expect(new Set(calling.map(({ alertname }) => alertname))).toEqual(new Set(rules.map(({ alert }) => alert)));
  const { stdout } = await promisify(execFile)('promtool', ['test', 'rules', 'deploy/prometheus/readyline.tests.yml'], {
    cwd: root,
    env: { PATH: searchPath },
  });
  expect(stdout).toContain('SUCCESS');
});
