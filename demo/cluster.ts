import { parseArgs } from 'node:util';
import { demoLines } from '../src/app/startupBanner.ts';
import type { BalancerKind } from './cluster/balancer.ts';
import { createDemoCompany } from './cluster/demoCompany.ts';
import type { ClusterGateway } from './cluster/gateway.ts';
import { startCluster, type Cluster } from './cluster/topology.ts';
import { commandLine, runCommand, wholeNumber, wrongOption } from './commandLine.ts';

const usage = `npm run cluster -- [--gateways 3] [--port 3000] [--balancer haproxy]

Several gateways on this machine: Redis, PostgreSQL, the gateways and a balancer in front, each a process of its own,
and a demo company to try them with. Ctrl-C stops all of it, and nothing is kept.
  --gateways   1 to 32
  --port       the balancer's; 0: any free one
  --balancer   haproxy, or node where it is not installed: no long polling, and callers' addresses are not known`;

/** npm passes on a Ctrl-C that the terminal has already sent: ignore it. */
const sameSignalWithinMs = 500;

runCommand(usage, async () => {
  const { values } = parseArgs({
    args: commandLine(),
    options: {
      gateways: { type: 'string', default: '3' },
      port: { type: 'string', default: '3000' },
      balancer: { type: 'string' },
    },
  });
  const stopping = stopSignal();
  try {
    const cluster = await startCluster({
      gateways: wholeNumber(values.gateways, 'gateways', 1, 32),
      port: wholeNumber(values.port, 'port', 0, 65_535),
      env: { LOG_LEVEL: 'warn' },
      ...balancerOf(values.balancer),
      ownProcessGroup: true,
      signal: stopping,
      onStarted: (part, pid) => say(`${part.padEnd(20)} process ${pid}`),
    });
    try {
      await run(cluster, stopping);
    } finally {
      say('stopping the balancer, the gateways, Redis and PostgreSQL');
      await cluster.stop();
    }
  } catch (error) {
    if (!stopping.aborted) throw error;
  }
  say('everything is stopped');
});

async function run(cluster: Cluster, stopping: AbortSignal): Promise<void> {
  const demo = await createDemoCompany(cluster.url, cluster.platformToken);
  for (const { nodeName, url } of cluster.gateways) say(`${nodeName} alone is at ${url}`);
  console.log(`\nReadyline is at ${cluster.url}, the console at ${cluster.url}/admin, the API documentation at ${cluster.url}/docs\n`);
  console.log(demoLines(cluster.url, demo, { hasPage: false }));
  console.log('Try kill -9 on the process of a gateway: it is started again. Ctrl-C stops everything.');
  for (const gateway of cluster.gateways) {
    keepRunning(gateway, stopping).catch((error: unknown) => say(`${gateway.nodeName} does not start again: ${String(error)}`));
  }
  await new Promise<void>((resolve) => {
    if (stopping.aborted) resolve();
    stopping.addEventListener('abort', () => resolve());
  });
}

/** As an operator's supervisor does. */
async function keepRunning(gateway: ClusterGateway, stopping: AbortSignal): Promise<void> {
  for (;;) {
    const { code, signal } = await gateway.process.ended;
    if (stopping.aborted) return;
    say(`gateway ${gateway.nodeName} has ended (${signal ?? `code ${code}`}) and is started again`);
    await gateway.start();
    say(`gateway ${gateway.nodeName} is process ${gateway.pid} now`);
  }
}

function balancerOf(value: string | undefined): { balancer?: BalancerKind } {
  if (value === undefined) return {};
  if (value === 'haproxy' || value === 'node') return { balancer: value };
  throw wrongOption('--balancer must be haproxy or node.');
}

/** Aborted by Ctrl-C or SIGTERM. A second one ends this process, and by force what it has started. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  let since: number | null = null;
  const stop = () => {
    if (since !== null && performance.now() - since > sameSignalWithinMs) process.exit(1);
    since ??= performance.now();
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return controller.signal;
}

function say(line: string): void {
  console.log(`cluster: ${line}`);
}
