import { apiKeys, newSecretText, newWebhookSecret } from '../adapters/crypto/issuedSecrets.ts';
import { readCsvFile } from '../adapters/csv/csvFile.ts';
import { createCrmClient } from '../adapters/crm/client.ts';
import { exchange } from '../adapters/crm/exchange.ts';
import { createPlatformAccounts } from '../adapters/cti/platformAccounts.ts';
import { socketOpener } from '../adapters/cti/webSocket.ts';
import { createPasswordHasher } from '../adapters/crypto/passwordHasher.ts';
import { createErasedHash } from '../adapters/crypto/erasedHash.ts';
import { createSecretCipher } from '../adapters/crypto/secretCipher.ts';
import { createTokenIssuer } from '../adapters/crypto/tokenIssuer.ts';
import { loadOrCreateSecret } from '../adapters/crypto/secretFile.ts';
import { createOwnTokens, createTokenKeeper } from '../adapters/tokens/tokenKeeper.ts';
import { createWebhookAgent } from '../adapters/webhook/guardedConnector.ts';
import { type HostResolver, resolverFor } from '../adapters/webhook/hostResolver.ts';
import { createWebhookSender } from '../adapters/webhook/sender.ts';
import { createWebhookUrlGuard } from '../adapters/webhook/urlGuard.ts';
import type { Config } from '../config.ts';
import type { CompanyId, NodeId } from '../domain/ids.ts';
import type { CrmRecordReader } from '../ports/crmInbound.ts';
import type { Observer } from '../ports/observer.ts';
import type { Softphones } from '../ports/softphones.ts';
import type { DemoCarrier } from '../ports/telephony.ts';
import type { Wallboard } from '../ports/wallboard.ts';
import type { Provider } from '../providers/provider.ts';
import type { GatewayBroadcast } from '../realtime/gatewayBroadcast.ts';
import { type Authenticator, createAuthenticator } from '../usecases/auth/authenticate.ts';
import { createLoginQueue } from '../usecases/auth/loginQueue.ts';
import { createLoginThrottle } from '../usecases/auth/loginThrottle.ts';
import { createColleagueDirectory } from '../usecases/agents/colleagueDirectory.ts';
import { createCompanyCache } from '../usecases/companies/companyCache.ts';
import { callLogLane } from '../usecases/crm/callLog/logCall.ts';
import { createCrmLookup } from '../usecases/crm/crmLookup.ts';
import { accountSettings } from '../usecases/cti/companyAccount.ts';
import { agentSettings } from '../usecases/cti/agentAccount.ts';
import { createEventsLater } from '../usecases/cti/eventsLater.ts';
import { createPlatformListener, type PlatformListener } from '../usecases/cti/platformListener.ts';
import { createDuplicateFinder, type DuplicateFinder } from '../usecases/contacts/duplicateFinder.ts';
import { createImporter, type Importer } from '../usecases/imports/importer.ts';
import { createCrmRecordReader } from '../usecases/crm/inbound/recordReader.ts';
import { createCompanyShare } from '../usecases/concurrency/companyShare.ts';
import { createAnswerPace } from '../usecases/crm/answerPace.ts';
import { createFairDoor } from '../usecases/concurrency/fairDoor.ts';
import { createNeighbours } from '../usecases/concurrency/neighbours.ts';
import { createKeyedMutex } from '../usecases/concurrency/keyedMutex.ts';
import { createRetryRegistry } from '../usecases/concurrency/retryUntilSuccess.ts';
import { createTrendReader } from '../usecases/live/dayTrends.ts';
import type { Services } from '../usecases/services.ts';
import { createReportScheduler, type ReportScheduler } from '../usecases/reports/reportScheduler.ts';
import { createTaskReminders, type TaskReminders } from '../usecases/tasks/taskReminders.ts';
import { webhookLane } from '../usecases/webhooks/webhookLane.ts';
import { createDispatcher, type Dispatcher } from '../usecases/deliveries/dispatcher.ts';
import type { Cleanup } from './cleanup.ts';
import { joinDeliveryNotifier, onlyWithWebhook } from './wakeDispatchers.ts';
import { watchStores } from './watchStores.ts';
import { startStep } from './startError.ts';
import type { Storage } from './storage.ts';

/** Time for name, TCP and TLS to a CRM. Milliseconds. */
const crmConnectTimeoutMs = 3_000;

type Parts = {
  storage: Storage;
  softphones: Softphones;
  wallboard: Wallboard;
  broadcast: GatewayBroadcast;
  nodeId: NodeId;
  newId: () => string;
  observer: Observer;
  /** In place of DNS. */
  resolveHost: HostResolver | null;
  /** The CRM systems that companies can be connected to. */
  crmSystems: readonly Provider<unknown>[];
  /** Null: none is offered. */
  demoCarrier: DemoCarrier | null;
  cleanup: Cleanup;
};

type Composed = {
  services: Services;
  authenticator: Authenticator;
  /** Of webhooks, and of calls for CRM systems. */
  dispatchers: Dispatcher[];
  crmRecordReader: CrmRecordReader;
  taskReminders: TaskReminders;
  reportScheduler: ReportScheduler;
  platformListener: PlatformListener;
  importer: Importer;
  duplicateFinder: DuplicateFinder;
  beginHistory: () => Promise<void>;
};

/** Builds the services of the use cases. Neither the dispatcher nor the history is started yet. */
export async function composeServices(
  config: Config,
  {
    storage,
    softphones,
    wallboard,
    broadcast,
    nodeId,
    newId,
    observer,
    resolveHost,
    crmSystems,
    demoCarrier,
    cleanup,
  }: Parts,
): Promise<Composed> {
  const jwtSecret = config.jwtSecret ?? (await secretOf(config, 'jwt.secret'));
  const encryptionKey = config.encryptionKey ?? (await secretOf(config, 'encryption.key'));
  const networks = { policy: config.webhookNetworks, ...(resolveHost === null ? {} : { resolveHost }) };
  const sender = createWebhookSender(networks);
  cleanup.add('the webhook sender', () => sender.close());
  const { others, deliveryNotifier, agentTokens, crmTokens, ...stores } = storage;
  const { clock } = stores;
  const cipher = createSecretCipher(encryptionKey);
  const crmAgent = createWebhookAgent({
    policy: config.webhookNetworks,
    connectTimeoutMs: crmConnectTimeoutMs,
    resolveHost: resolveHost ?? resolverFor(config.webhookNetworks),
  });
  cleanup.add('requests to CRM systems', () => crmAgent.destroy());
  const companyCache = createCompanyCache(stores);
  const colleagues = createColleagueDirectory({ ...stores, demoCarrier });
  const retries = createRetryRegistry({ clock, observer });
  cleanup.add('repairs that are tried again', () => retries.stop());
  const { beginHistory, ...watched } = watchStores(
    { ...stores, observer },
    { wallboard, isAlone: others === null, cleanup },
  );
  const keeping = { clock, cipher, newId };
  const accounts = createPlatformAccounts({
    exchange: (request, withinMs) => exchange({ dispatcher: crmAgent, clock }, request, withinMs),
    clock,
    settingsOf: (connection) => accountSettings(cipher, connection),
    agentSettingsOf: (agent) => agentSettings(cipher, agent),
    baseUrls: config.ctiBaseUrls,
    openSocket: socketOpener({ clock, dispatcher: crmAgent }),
    ownTokens: createTokenKeeper({ ...keeping, store: createOwnTokens(), nameOf: (name: string) => name }),
    agentTokens: createTokenKeeper({
      ...keeping,
      store: agentTokens,
      // Without the company's account: whatever changes in that, the latest refresh token stays the agent's.
      nameOf: ({ accountEncrypted, companyId, connector, platformId }) =>
        ['cti-agent-token', companyId, connector, platformId, accountEncrypted].join(':'),
    }),
  });
  const turns = createKeyedMutex();
  const neighbours = createNeighbours();
  const parts = {
    ...stores,
    ...watched,
    demoCarrier,
    softphones,
    observer,
    apiKeys,
    newSecretText,
    newWebhookSecret,
    companyOf: companyCache.companyOf,
    agentNow: companyCache.agentNow,
    agentCard: companyCache.agentCard,
    agentCards: companyCache.agentCards,
    colleagues,
    trends: createTrendReader(stores),
    ledAgents: companyCache.ledAgents,
    tokens: createTokenIssuer({ secret: jwtSecret, clock }),
    passwords: createPasswordHasher(),
    cipher,
    hashErased: createErasedHash(encryptionKey),
    crm: createCrmClient({
      dispatcher: crmAgent,
      clock,
      counters: stores.counters,
      tokens: createTokenKeeper({ ...keeping, store: crmTokens, nameOf: (companyId) => `crm-token:${companyId}` }),
      pace: createAnswerPace(turns),
    }),
    crmProviders: {
      byId: new Map(crmSystems.map((provider) => [provider.id, provider])),
      baseUrls: config.crmBaseUrls,
    },
    platformDialer: accounts.dialer,
    platformLines: accounts.lines,
    platformStates: accounts.states,
    readCsvFile,
    sender: sender.send,
    urlGuard: createWebhookUrlGuard(networks),
    newId,
    nodeId,
    dialsUnderWay: new Map(),
    unansweredClaims: new Map(),
    retries,
    loginThrottle: createLoginThrottle(stores.counters),
    loginQueue: createLoginQueue(),
    testsUnderWay: new Set<CompanyId>(),
    bulkPushes: new Map<CompanyId, number>(),
    listFiles: new Set<CompanyId>(),
    turns,
    door: createFairDoor(neighbours),
    shares: {
      lists: createCompanyShare('lists', { atOnce: 2, waiting: 100, rests: true }, neighbours),
      // What keeps a processor of the database busy: of more at once, the clicks of the others would wait for one.
      reports: createCompanyShare('reports', { atOnce: 1, alone: 2, waiting: 8, rests: true }, neighbours),
      searches: createCompanyShare('searches', { atOnce: 1, alone: 4, waiting: 100, rests: true }, neighbours),
      // In the database alone: a CRM that is slow keeps no place.
      lookUps: createCompanyShare(
        'look-ups',
        { atOnce: 2, alone: Number.POSITIVE_INFINITY, waiting: 1_000, patienceMs: 2_000, rests: false },
        neighbours,
      ),
    },
  };
  const crmLookup = createCrmLookup(parts);
  const crmRecordReader = createCrmRecordReader(parts);
  cleanup.add('records of CRM systems that are being read', () => crmRecordReader.stop());
  const importer = createImporter({ ...parts, forget: (companyId) => broadcast.forget(companyId) });
  cleanup.add('imports under way', () => importer.stop());
  const duplicateFinder = createDuplicateFinder(parts);
  cleanup.add('contacts that are being compared', () => duplicateFinder.stop());
  const dispatcher = createDispatcher(parts, webhookLane(parts));
  cleanup.add('webhook attempts under way', () => dispatcher.stop());
  const callLogs = callLogLane(parts);
  const callLogDispatcher = createDispatcher(parts, callLogs.lane);
  cleanup.add('calls that are being logged in CRM systems', () => callLogDispatcher.stop());
  const taskReminders = createTaskReminders({
    ...parts,
    wakeDispatcher: (companyId) => services.wakeDispatcher(companyId),
  });
  cleanup.add('tasks that are being announced', () => taskReminders.stop());
  const reportScheduler = createReportScheduler(
    { ...parts, wakeDispatcher: (companyId) => services.wakeDispatcher(companyId) },
    config.publicUrl,
  );
  cleanup.add('reports that are being sent', () => reportScheduler.stop());
  const eventsLater = createEventsLater({
    ...parts,
    crmLookup,
    wakeDispatcher: (companyId) => services.wakeDispatcher(companyId),
  });
  cleanup.add('what telephony platforms tell of dials under way', () => eventsLater.stop());
  const platformListener = createPlatformListener({
    ...parts,
    crmLookup,
    takeEventLater: eventsLater.take,
    wakeDispatcher: (companyId) => services.wakeDispatcher(companyId),
  });
  cleanup.add('what telephony platforms tell', () => platformListener.stop());
  const authenticator = createAuthenticator(parts);
  broadcast.onForget((companyId) => {
    companyCache.forget(companyId);
    colleagues.forget(companyId);
    authenticator.forget(companyId);
    dispatcher.forget(companyId);
    callLogDispatcher.forget(companyId);
    callLogs.forget(companyId);
    parts.crm.forget(companyId);
    crmLookup.forget(companyId);
  });
  const services: Services = {
    ...parts,
    crmLookup,
    crmRecordReader,
    wakeDispatcher: onlyWithWebhook(
      companyCache.companyOf,
      await joinDeliveryNotifier({ others: deliveryNotifier, clock, wake: () => dispatcher.wake() }),
    ),
    markLeasesUncertain: () => [dispatcher, callLogDispatcher].forEach((one) => one.markLeasesUncertain()),
    takeEventLater: eventsLater.take,
    wakeDuplicateFinder: () => duplicateFinder.wake(),
    wakeImporter: () => importer.wake(),
    wakePlatformListener: () => platformListener.wake(),
    wakeReportScheduler: () => reportScheduler.wake(),
    wakeReminders: () => taskReminders.wake(),
    dispatcherWorks: () => dispatcher.works(),
    forget: (companyId) => broadcast.forget(companyId),
  };
  return {
    services,
    authenticator,
    dispatchers: [dispatcher, callLogDispatcher],
    crmRecordReader,
    taskReminders,
    reportScheduler,
    platformListener,
    importer,
    duplicateFinder,
    beginHistory,
  };
}

function secretOf({ dataDir }: Config, name: string): Promise<Buffer> {
  return startStep('DATA_DIR', () => loadOrCreateSecret(dataDir, name));
}
