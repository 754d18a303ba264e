import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSystemClock } from './adapters/clock/systemClock.ts';
import { createIdMaker } from './adapters/clock/timeOrderedIds.ts';
import { createLogger } from './adapters/observability/logger.ts';
import { createMetrics } from './adapters/observability/metrics.ts';
import { createObserver } from './adapters/observability/observer.ts';
import type { HostResolver } from './adapters/webhook/hostResolver.ts';
import { startBackground } from './app/background.ts';
import { type Cleanup, createCleanup } from './app/cleanup.ts';
import { createFirstCompany, hasDemoCompany, type DemoCredentials } from './app/firstCompany.ts';
import { composeServices } from './app/composeServices.ts';
import { createDrain } from './app/drain.ts';
import { createSoftphoneSide } from './app/softphoneSide.ts';
import { openStorage } from './app/storage.ts';
import type { Config } from './config.ts';
import { socketPath } from './contract/socket.ts';
import { type NodeId, toId } from './domain/ids.ts';
import { listen } from './http/listen.ts';
import { createHttpServer } from './http/server.ts';
import { handleUpgrades } from './http/upgradeHandler.ts';
import type { Clock } from './ports/clock.ts';
import type { Provider } from './providers/provider.ts';
import { providers } from './providers/registry.ts';
import { limitConnections } from './realtime/connectionLimits.ts';
import { attachIo, isAllowedOrigin } from './realtime/io.ts';
import { serveSoftphones } from './realtime/serveSoftphones.ts';
import { withDeadline } from './usecases/concurrency/withDeadline.ts';
import type { Services } from './usecases/services.ts';

/** Of the software, from package.json; the same file from src/ and dist/. */
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Time for the metrics of the database; shorter than Prometheus's time-out (10 s). Milliseconds. */
const metricPatienceMs = 3_000;
export type App = {
  /** Binds the address of the configuration; resolves with where it listens. */
  listen(): Promise<{ url: string; port: number }>;
  /** Shuts down without failing a request and closes everything in `shutdownOrder`. May be called twice. */
  close(): Promise<void>;
  /** The demo company's credentials, once it listens and if this start created it. */
  readonly demo: DemoCredentials | null;
  /** Whether an earlier start has created it. */
  readonly hasEarlierDemo: boolean;
};

export type AppOverrides = {
  /** Replaces the database's clock. */
  clock?: Clock;
  /** Replaces DNS for the host names of webhooks. */
  resolveHost?: HostResolver;
  /** Replaces the CRM systems that companies can be connected to. */
  crmSystems?: readonly Provider<unknown>[];
  /** Lets a test wrap parts of the services. */
  wrap?: (services: Services) => Services;
  /** The embedded database died: nothing can go on. */
  onFatal?: (reason: string) => void;
  /**
   * Ends a start that is under way, which leaves nothing behind and rejects with its reason.
   * A gateway that has started is closed.
   */
  signal?: AbortSignal;
};

/** Builds the gateway; with `app/`, the only place that knows every room. */
export async function createApp(config: Config, overrides: AppOverrides = {}): Promise<App> {
  const logger = createLogger(config.logLevel);
  const cleanup = createCleanup((step, seconds) => logger.warn({ step, seconds }, `the shutdown waits for ${step}`));
  try {
    return await build(config, overrides, { cleanup, logger });
  } catch (error) {
    await cleanup.close();
    // What else went wrong did so because of it.
    overrides.signal?.throwIfAborted();
    throw error;
  }
}

type Frame = { cleanup: Cleanup; logger: ReturnType<typeof createLogger> };

async function build(config: Config, overrides: AppOverrides, { cleanup, logger }: Frame): Promise<App> {
  const metrics = createMetrics();
  const observer = createObserver({ logger, metrics });
  const onProblem = (message: string, error: unknown) => observer.problem(message, error);
  const onFatal = overrides.onFatal ?? ((reason: string) => onProblem('the database died', new Error(reason)));
  if (config.webhookNetworks !== 'public') {
    logger.warn(
      { networks: config.webhookNetworks },
      'webhooks may go to private addresses (WEBHOOK_ALLOW_PRIVATE_NETWORKS)',
    );
  }

  const say = (line: string) => logger.info(line);
  const { signal = new AbortController().signal } = overrides;
  const nodeId = toId<NodeId>(randomUUID());
  const storage = await openStorage(config, {
    nodeId,
    clock: overrides.clock ?? null,
    cleanup,
    say,
    onProblem,
    onFatal,
    signal,
  });
  const { clock } = storage;
  const newId = createIdMaker(clock);
  const { io, registry, broadcast, softphones, wallboard, join } = createSoftphoneSide(config, {
    storage,
    nodeId,
    newId,
    onProblem,
  });
  const resolveHost = overrides.resolveHost ?? null;
  // Audio runs by the machine's clock.
  const demoServer = await loadDemo(config, { clock: createSystemClock(), say, onProblem });
  const demoCarrier = demoServer?.carrier ?? null;
  const parts = {
    storage,
    softphones,
    wallboard,
    broadcast,
    nodeId,
    newId,
    observer,
    resolveHost,
    crmSystems: overrides.crmSystems ?? providers,
    demoCarrier,
    cleanup,
  };
  const composed = await composeServices(config, parts);
  const {
    authenticator,
    dispatchers,
    crmRecordReader,
    taskReminders,
    reportScheduler,
    platformListener,
    importer,
    duplicateFinder,
    beginHistory,
  } = composed;
  const services = overrides.wrap?.(composed.services) ?? composed.services;

  signal.throwIfAborted();
  if (config.bootstrap !== null) await createFirstCompany(config, services);
  const { link, heartbeat, messages } = await join(services);
  await startBackground(services, cleanup, { heartbeat, messages: messages.round }, config);
  metrics.gauge({
    name: 'readyline_softphones',
    help: 'Softphones connected to this gateway',
    read: () => registry.count(),
  });
  // A database that hangs must not take the other metrics with it.
  const readInTime = async <T>(what: string, read: (now: Date) => Promise<T>): Promise<T> => {
    const now = clock.now();
    const told = await withDeadline(clock, now + metricPatienceMs, read(new Date(now)));
    if (told === null) throw new Error(`the database did not tell in time how many ${what} wait`);
    return told;
  };
  const readBacklog = () => readInTime('deliveries', (now) => storage.outbox.backlog(now));
  metrics.gauges(readBacklog, [
    {
      name: 'readyline_webhook_deliveries',
      help: 'Waiting webhook deliveries by reason',
      label: 'state',
      of: ({ deliveries }) => deliveries,
    },
    {
      name: 'readyline_webhook_oldest_due_seconds',
      help: 'Seconds since the oldest waiting webhook delivery fell due, by reason',
      label: 'state',
      of: ({ oldestDueSeconds }) => oldestDueSeconds,
    },
    {
      name: 'readyline_webhook_endpoints',
      help: 'Webhook endpoints by condition',
      label: 'condition',
      of: ({ endpoints }) => endpoints,
    },
  ]);

  metrics.gauges(
    () => readInTime('records of CRM systems', (now) => storage.crmNotices.backlog(now)),
    [
      {
        name: 'readyline_crm_records_to_read',
        help: 'Records that CRM systems told of and that wait to be read, by reason',
        label: 'state',
        of: ({ records }) => records,
      },
      {
        name: 'readyline_crm_oldest_record_seconds',
        help: 'Seconds since a CRM told of the record that has waited longest to be read, by reason',
        label: 'state',
        of: ({ oldestSeconds }) => oldestSeconds,
      },
    ],
  );

  const connections = serveSoftphones({ io, registry, link, broadcast, messages, services, authenticator });
  cleanup.add('the ends of connections', () => connections.ended());
  // Not a test's clock, which would stand still during the shutdown.
  const drain = createDrain({ config, io, registry, clock: createSystemClock() });
  const { mode, publicUrl, embedOrigins, isLocal } = config;
  const facts = { mode, publicUrl, embedOrigins, isLocal };
  const platform = { ...facts, version, hasDemo: demoServer !== null, isDraining: drain.isDraining };
  const serving = { services, authenticate: authenticator, platform, platformToken: config.platformToken };
  const server = createHttpServer({
    ...serving,
    corsOrigins: config.corsOrigins,
    demo: demoServer?.handler(serving) ?? null,
    trustProxy: config.trustProxy,
    logger,
    metrics,
  });
  attachIo(io, server);
  limitConnections(io, (reason, socket, waitingBytes) => {
    const { companyId = null, agentId = null } = socket?.data.holder.principal ?? {};
    observer.cut(
      reason,
      socket === null ? null : { company_id: companyId, agent_id: agentId, waiting_bytes: waitingBytes },
    );
  });
  const upgradeHandler = handleUpgrades(server);
  upgradeHandler.webSockets(socketPath, (request, socket, head) => io.engine.handleUpgrade(request, socket, head));
  drain.of(server);
  demoServer?.open(server, upgradeHandler, (request) =>
    isAllowedOrigin(request, { origins: config.corsOrigins, isLocal }),
  );
  cleanup.add('requests and softphones under way', () => drain.run());
  cleanup.add('the demo', () => demoServer?.close());

  let demo: DemoCredentials | null = null;
  let hasEarlierDemo = false;
  return {
    get demo() {
      return demo;
    },
    get hasEarlierDemo() {
      return hasEarlierDemo;
    },
    async listen() {
      const address = await listen(server, config);
      await beginHistory();
      // A single gateway: what an earlier process held is free.
      if (storage.others === null) {
        await Promise.all([
          storage.outbox.releaseOthers(nodeId),
          storage.callLog.releaseOthers(nodeId),
          storage.crmNotices.releaseAll(),
        ]);
      }
      for (const dispatcher of dispatchers) dispatcher.start();
      crmRecordReader.start();
      taskReminders.start();
      reportScheduler.start();
      platformListener.start();
      importer.start();
      duplicateFinder.start();
      // Only now: its passwords are shown once, and a start that fails because the port is taken shows nothing.
      if (config.bootstrap === null) demo = await createFirstCompany(config, services);
      hasEarlierDemo = demo === null && (await hasDemoCompany(config, services));
      return address;
    },
    close: () => cleanup.close(),
  };
}

type DemoNeeds = { clock: Clock; say: (line: string) => void; onProblem: (message: string, error: unknown) => void };

/** The demo, where only this machine reaches the gateway. Null elsewhere: production never even loads it. */
async function loadDemo({ isLocal }: Pick<Config, 'isLocal'>, needs: DemoNeeds) {
  if (!isLocal) return null;
  const { createDemoServer } = await import('./demo/demoServer.ts');
  return createDemoServer(needs);
}
