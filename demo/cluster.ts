import { parseArgs } from 'node:util';
import { demoLines } from '../src/app/startupBanner.ts';
import { createDemoCompany } from './cluster/demoCompany.ts';
import type { ClusterGateway } from './cluster/gateway.ts';
import { startCluster, type Cluster } from './cluster/topology.ts';
import { commandLine, runCommand, wholeNumber } from './commandLine.ts';
import { onStopSignal } from './stopSignal.ts';

const usage = `npm run cluster -- [--gateways 3] [--port 3200]

Several gateways on this machine: Redis, PostgreSQL, the gateways and, where it is installed, HAProxy in front, each a
process of its own, and a demo company to try them with. Without HAProxy each gateway is reached at its own address.
Ctrl-C stops all of it, and nothing is kept.
  --gateways   1 to 32
  --port       HAProxy's; 0: any free one`;

runCommand(usage, async () => {
  const { values } = parseArgs({
    args: commandLine(),
    options: {
      gateways: { type: 'string', default: '3' },
      port: { type: 'string', default: '3200' },
    },
  });
  const stopper = new AbortController();
  const stopping = stopper.signal;
  onStopSignal(() => stopper.abort());
  try {
    const cluster = await startCluster({
      gateways: wholeNumber(values.gateways, 'gateways', 1, 32),
      port: wholeNumber(values.port, 'port', 0, 65_535),
      env: { LOG_LEVEL: 'warn' },
      ownProcessGroup: true,
      signal: stopping,
      onStarted: (part, pid) => say(`${part.padEnd(20)} process ${pid}`),
    });
    try {
      await run(cluster, stopping);
    } finally {
      say('stopping the gateways and what they stand on');
      await cluster.stop();
    }
  } catch (error) {
    if (!stopping.aborted) throw error;
  }
  say('everything is stopped');
});

async function run(cluster: Cluster, stopping: AbortSignal): Promise<void> {
  const demo = await createDemoCompany(cluster.url, cluster.platformToken);
  const isAlone = cluster.balancer === null ? '' : ' alone';
  for (const { nodeName, url } of cluster.gateways) say(`${nodeName}${isAlone} is at ${url}`);
  if (cluster.balancer === null)
    say('haproxy is not installed: each gateway is reached at its own address (Debian: apt-get install haproxy)');
  console.log(
    `\nReadyline is at ${cluster.url}, the console at ${cluster.url}/admin, ` +
      `the API documentation at ${cluster.url}/docs\n`,
  );
  console.log(demoLines(cluster.url, demo, { hasPage: false }));
  console.log('Try kill -9 on the process of a gateway: it is started again. Ctrl-C stops everything.');
  for (const gateway of cluster.gateways) {
    keepRunning(gateway, stopping).catch((error: unknown) =>
      say(`${gateway.nodeName} does not start again: ${String(error)}`),
    );
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

function say(line: string): void {
  console.log(`cluster: ${line}`);
}
