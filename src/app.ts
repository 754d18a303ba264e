import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { createSystemClock } from './adapters/clock/systemClock.ts';
import { apiKeys } from './adapters/crypto/apiKey.ts';
import { createPasswordHasher } from './adapters/crypto/passwordHasher.ts';
import { createSecretCipher } from './adapters/crypto/secretCipher.ts';
import { createTokenIssuer } from './adapters/crypto/tokens.ts';
import { newWebhookSecret } from './adapters/crypto/webhookSecret.ts';
import { loadOrCreateSecret } from './adapters/files/secrets.ts';
import { createLogger } from './adapters/observability/logger.ts';
import { createMetrics } from './adapters/observability/metrics.ts';
import { createObserver } from './adapters/observability/observer.ts';
import { createWebhookSender } from './adapters/webhook/sender.ts';
import { createWebhookUrlGuard } from './adapters/webhook/urlGuard.ts';
import { startBackground } from './app/background.ts';
import { createClosers } from './app/closers.ts';
import { createFirstCompany, type DemoCredentials } from './app/firstCompany.ts';
import { openStorage } from './app/storage.ts';
import type { Config } from './config.ts';
import { toId, type NodeId } from './domain/ids.ts';
import { createHttpServer } from './http/server.ts';
import type { Clock } from './ports/clock.ts';
import { attachIo, createIo } from './realtime/io.ts';
import { serveSoftphones } from './realtime/serveSoftphones.ts';
import { createSoftphoneGateway } from './realtime/softphoneGateway.ts';
import { createSoftphoneRegistry } from './realtime/softphoneRegistry.ts';
import { createAuthenticator } from './usecases/auth/authenticate.ts';
import { createRemembered } from './usecases/remembered.ts';
import type { Services } from './usecases/services.ts';
import { createDispatcher } from './usecases/webhooks/dispatcher.ts';
import { version } from './version.ts';

export type App = {
  /** Binds the address of the configuration; resolves with where it listens. */
  listen(): Promise<{ url: string; port: number }>;
  /** Finishes what is under way and closes everything in order. May be called twice. */
  close(): Promise<void>;
  /** The demo company's credentials, if this start created it. */
  demo: DemoCredentials | null;
  services: Services;
};

export type AppOverrides = {
  clock?: Clock;
  /** Lets a test put a gate before a part. */
  wrap?: (services: Services) => Services;
  /** The embedded database died. */
  onFatal?: (reason: string) => void;
};

/** Builds the gateway: the only place that knows every room. */
export async function createApp(config: Config, overrides: AppOverrides = {}): Promise<App> {
  const closers = createClosers();
  try {
    return await build(config, overrides, closers);
  } catch (error) {
    await closers.close();
    throw error;
  }
}

async function build(config: Config, overrides: AppOverrides, closers: ReturnType<typeof createClosers>): Promise<App> {
  const clock = overrides.clock ?? createSystemClock();
  const logger = createLogger(config.logLevel);
  const metrics = createMetrics();
  const observer = createObserver({ logger, metrics });
  const onProblem = (message: string, error: unknown) => observer.problem(message, error);
  const say = (line: string) => logger.info(line);
  const onFatal = overrides.onFatal ?? ((reason: string) => onProblem('the database died', new Error(reason)));
  if (config.webhookNetworks !== 'public') {
    logger.warn({ networks: config.webhookNetworks }, 'WEBHOOK_ALLOW_PRIVATE_NETWORKS: webhooks may reach private addresses');
  }

  const storage = await openStorage(config, { clock, closers, say, onProblem, onFatal });
  const jwtSecret = config.jwtSecret ?? (await loadOrCreateSecret(config.dataDir, 'jwt.secret'));
  const encryptionKey = config.encryptionKey ?? (await loadOrCreateSecret(config.dataDir, 'encryption.key'));

  const io = createIo([...config.corsOrigins, ...(config.publicUrl === null ? [] : [new URL(config.publicUrl).origin])]);
  const registry = createSoftphoneRegistry();
  const softphones = createSoftphoneGateway({ io, registry, presence: storage.presence, clock });
  const sender = createWebhookSender({ policy: config.webhookNetworks });
  closers.add(() => sender.close());

  const remembered = createRemembered({ ...storage, clock });
  const parts = {
    ...storage,
    clock,
    softphones,
    observer,
    apiKeys,
    newWebhookSecret,
    settings: remembered.settings,
    agentCard: remembered.agentCard,
    tokens: createTokenIssuer({ secret: jwtSecret, clock }),
    passwords: createPasswordHasher(),
    cipher: createSecretCipher(encryptionKey),
    sender: sender.send,
    urlGuard: createWebhookUrlGuard({ policy: config.webhookNetworks }),
    newId: () => uuidv7(),
    nodeId: toId<NodeId>(randomUUID()),
    dialsUnderWay: new Map(),
  };
  const dispatcher = createDispatcher(parts);
  const authenticator = createAuthenticator(parts);
  const plain: Services = {
    ...parts,
    wakeDispatcher: () => dispatcher.wake(),
    dispatcherWorks: () => dispatcher.works(),
    forget: () => {
      remembered.forgetAll();
      authenticator.forgetAll();
    },
  };
  const services = overrides.wrap?.(plain) ?? plain;

  const demo = await createFirstCompany(config, services);
  metrics.gauge({ name: 'readyline_softphones', help: 'Softphones connected to this node', read: () => registry.count() });
  metrics.gauge({
    name: 'readyline_webhook_oldest_due_seconds',
    help: 'Age of the oldest webhook delivery that is due',
    read: async () => (await storage.outbox.backlog(new Date(clock.now()))).oldestDueSeconds,
  });

  closers.add(() => dispatcher.stop());
  await startBackground(services, closers);
  const softphoneConnections = serveSoftphones({ io, registry, services, authenticator });
  closers.add(() => softphoneConnections.settle());
  const server = createHttpServer({
    services,
    authenticate: authenticator,
    platform: { version, mode: config.mode, publicUrl: config.publicUrl },
    platformToken: config.platformToken,
    corsOrigins: config.corsOrigins,
    trustProxy: config.trustProxy,
    logger,
    metrics,
  });
  attachIo(io, server);
  // Closes the listener and the lines of the softphones; their clients reconnect by themselves.
  closers.add(() => (server.listening ? io.close() : undefined));

  return {
    demo,
    services,
    async listen() {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(config.port, config.host, () => resolve());
      });
      dispatcher.start();
      const { port } = server.address() as AddressInfo;
      const host = config.host.includes(':') ? `[${config.host}]` : config.host;
      return { url: `http://${host}:${String(port)}`, port };
    },
    close: () => closers.close(),
  };
}
