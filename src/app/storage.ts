import type { Pool } from 'pg';
import { createSystemClock } from '../adapters/clock/systemClock.ts';
import { createAgentHistoryStore } from '../adapters/postgres/agents/agentHistory.ts';
import { createAgentStore } from '../adapters/postgres/agents/agentStore.ts';
import { createCallStore } from '../adapters/postgres/calls/callStore.ts';
import { createClickTallyStore } from '../adapters/postgres/calls/clickTallies.ts';
import { createHeardCallStore, createWaitingEventStore } from '../adapters/postgres/calls/platformNewsStores.ts';
import { createIdempotencyStore } from '../adapters/postgres/calls/idempotencyStore.ts';
import { createCompanyStore } from '../adapters/postgres/companies/companyStore.ts';
import { createContactStore } from '../adapters/postgres/contacts/contactStore.ts';
import { createContactSearch } from '../adapters/postgres/contacts/contactSearch.ts';
import { createAuditStore } from '../adapters/postgres/contacts/auditStore.ts';
import { createDuplicateStore } from '../adapters/postgres/contacts/duplicateStore.ts';
import { createOrganisationStore } from '../adapters/postgres/contacts/organisationStore.ts';
import { createDealStore } from '../adapters/postgres/deals/dealStore.ts';
import { createTeamStore } from '../adapters/postgres/agents/teamStore.ts';
import { createAgentTimeStore } from '../adapters/postgres/reports/agentTimes.ts';
import { createCallRollUpStore } from '../adapters/postgres/reports/callRollUps.ts';
import { createReportScheduleStore } from '../adapters/postgres/reports/reportSchedules.ts';
import { createReportStore } from '../adapters/postgres/reports/reportStore.ts';
import { createReportViewStore } from '../adapters/postgres/reports/reportViews.ts';
import { createPipelineStore } from '../adapters/postgres/deals/pipelineStore.ts';
import { createDoNotDialStore } from '../adapters/postgres/dialing/doNotDialStore.ts';
import { createSoftphoneKeep } from '../adapters/postgres/dialing/softphoneKeep.ts';
import { createMessageStore } from '../adapters/postgres/messages/messageStore.ts';
import { createTaskStore } from '../adapters/postgres/tasks/taskStore.ts';
import { createCrmConnectionStore } from '../adapters/postgres/companies/crmConnectionStore.ts';
import { createCrmInboundStore } from '../adapters/postgres/companies/crmInboundStore.ts';
import { createCtiConnectionStore } from '../adapters/postgres/companies/ctiConnectionStore.ts';
import { createPlatformAgentStore } from '../adapters/postgres/companies/platformAgentStore.ts';
import { createAgentTokenStore, createCrmTokenStore } from '../adapters/postgres/companies/tokenStores.ts';
import { createCrmNoticeStore } from '../adapters/postgres/companies/crmNoticeStore.ts';
import { createCrmLoginStore } from '../adapters/postgres/companies/crmLoginStore.ts';
import { createImportStore } from '../adapters/postgres/imports/importStore.ts';
import { createIntegrationStore } from '../adapters/postgres/companies/integrationStore.ts';
import { createPopLayoutStore } from '../adapters/postgres/companies/popLayoutStore.ts';
import { createTelephonyStore } from '../adapters/postgres/companies/telephonyStore.ts';
import { startDatabaseClock } from '../adapters/postgres/databaseClock.ts';
import { createCallLogOutbox } from '../adapters/postgres/deliveries/callLogOutbox.ts';
import { createDeliveryNotifier } from '../adapters/postgres/deliveries/deliveryNotifier.ts';
import { checkServer } from '../adapters/postgres/firstConnection.ts';
import { createOutbox } from '../adapters/postgres/deliveries/outbox.ts';
import { startEmbeddedPostgres } from '../adapters/postgres/embedded/embeddedPostgres.ts';
import { applyMigrations } from '../adapters/postgres/migrations.ts';
import { createPool, createPrisma } from '../adapters/postgres/pool.ts';
import { createScreenPopStore } from '../adapters/postgres/screenPopStore.ts';
import type { Config } from '../config.ts';
import type { CompanyId, NodeId } from '../domain/ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { AgentLogin } from '../ports/cti.ts';
import type { TokenStore } from '../ports/tokens.ts';
import type { DeliveryNotifier } from '../ports/outbox.ts';
import type { Services } from '../usecases/services.ts';
import type { Cleanup } from './cleanup.ts';
import { openSharedState, type SharedState } from './sharedState.ts';
import { startStep } from './startError.ts';

const poolSize = 20;
/** Of few statements that take no time, and do not wait for a lock. */
const reservePoolSize = 2;
/** Less than there is to decide on a call, so that it can be asked more than once. Milliseconds. */
const reserveLockTimeoutMs = 150;
/** Reports are read on connections of their own: they take longer than anybody would wait for a click. */
const reportPoolSize = 6;

export type Storage = SharedState &
  Pick<
    Services,
    | 'agentHistory'
    | 'agents'
    | 'agentTimes'
    | 'calls'
    | 'callLog'
    | 'callRollUps'
    | 'clickTallies'
    | 'clock'
    | 'companies'
    | 'contacts'
    | 'contactSearch'
    | 'crmConnections'
    | 'crmInbound'
    | 'ctiConnections'
    | 'platformAgents'
    | 'crmLogins'
    | 'crmNotices'
    | 'deals'
    | 'audit'
    | 'duplicates'
    | 'doNotDial'
    | 'heardCalls'
    | 'idempotency'
    | 'imports'
    | 'integrations'
    | 'messages'
    | 'organisations'
    | 'outbox'
    | 'pipelines'
    | 'popLayouts'
    | 'reports'
    | 'reportSchedules'
    | 'reportViews'
    | 'screenPops'
    | 'softphoneKeep'
    | 'tasks'
    | 'teams'
    | 'telephony'
    | 'waitingEvents'
  > & {
    agentTokens: TokenStore<AgentLogin>;
    crmTokens: TokenStore<CompanyId>;
    /** Null: no other gateway can share the outbox. */
    deliveryNotifier: DeliveryNotifier | null;
  };
type Needs = {
  nodeId: NodeId;
  /** A test's; null: the database's clock. */
  clock: Clock | null;
  cleanup: Cleanup;
  say: (line: string) => void;
  onProblem: (message: string, error: unknown) => void;
  /** The embedded database died: nothing can go on. */
  onFatal: (reason: string) => void;
  /** Ends every wait of the start. */
  signal: AbortSignal;
};

/**
 * Opens what the configuration names, migrated and ready; closes it again through `cleanup`.
 * Throws StartError, or the signal's reason.
 */
export async function openStorage(config: Config, needs: Needs): Promise<Storage> {
  const stores = await openStores(config, needs);
  needs.signal.throwIfAborted();
  return { ...stores, ...(await openSharedState(config, { ...needs, clock: stores.clock })) };
}

async function openStores(config: Config, needs: Needs) {
  const { cleanup } = needs;
  const { pool, reportPool, reserve, url } = await openDatabase(config, needs);
  needs.signal.throwIfAborted();
  const variable = config.databaseUrl === null ? 'DATA_DIR' : 'DATABASE_URL';
  await startStep(variable, () => checkServer(pool));
  const applied = await startStep(variable, () => applyMigrations(pool, undefined, { signal: needs.signal }));
  if (applied.length > 0) needs.say(`applied ${applied.length} database migration(s)`);
  const clock = needs.clock ?? (await followDatabase(pool, needs));
  const prisma = createPrisma(pool);
  cleanup.add('Prisma', () => prisma.$disconnect());
  const parts = { pool, prisma, clock, reserve };
  const contactSearch = createContactSearch(parts);
  if (!(await startStep(variable, () => contactSearch.findsParts()))) {
    needs.say(
      'contacts are found by the beginning of their names alone: ' +
        'the database lacks pg_trgm or btree_gin (docs/deploying.md)',
    );
  }
  return {
    clock,
    agentHistory: createAgentHistoryStore(parts),
    agents: createAgentStore(parts),
    callLog: createCallLogOutbox(parts),
    calls: createCallStore(parts),
    clickTallies: createClickTallyStore(parts),
    companies: createCompanyStore(parts),
    contacts: createContactStore(parts),
    contactSearch,
    crmConnections: createCrmConnectionStore(parts),
    crmInbound: createCrmInboundStore(parts),
    ctiConnections: createCtiConnectionStore(parts),
    platformAgents: createPlatformAgentStore(parts),
    crmLogins: createCrmLoginStore(parts),
    crmNotices: createCrmNoticeStore(parts),
    agentTokens: createAgentTokenStore(parts),
    crmTokens: createCrmTokenStore(parts),
    deals: createDealStore(parts),
    audit: createAuditStore(parts),
    duplicates: createDuplicateStore(parts),
    doNotDial: createDoNotDialStore(parts),
    heardCalls: createHeardCallStore(parts),
    idempotency: createIdempotencyStore(parts),
    imports: createImportStore(parts),
    integrations: createIntegrationStore(parts),
    messages: createMessageStore(parts),
    organisations: createOrganisationStore(parts),
    outbox: createOutbox(parts),
    pipelines: createPipelineStore(parts),
    popLayouts: createPopLayoutStore(parts),
    reports: createReportStore({ ...parts, pool: reportPool }),
    agentTimes: createAgentTimeStore(parts),
    callRollUps: createCallRollUpStore(parts),
    reportSchedules: createReportScheduleStore(parts),
    reportViews: createReportViewStore(parts),
    screenPops: createScreenPopStore(parts),
    softphoneKeep: createSoftphoneKeep(parts),
    tasks: createTaskStore(parts),
    teams: createTeamStore(parts),
    telephony: createTelephonyStore(parts),
    waitingEvents: createWaitingEventStore(parts),
    deliveryNotifier: config.redisUrl === null ? null : openDeliveryNotifier(url, clock, needs),
  };
}

function openDeliveryNotifier(url: string, clock: Clock, { nodeId, onProblem, cleanup }: Needs): DeliveryNotifier {
  const notifications = createDeliveryNotifier({ url, nodeId, clock, onProblem });
  cleanup.add('the channel of delivery notifications', () => notifications.close());
  return notifications;
}

async function followDatabase(pool: Pool, { cleanup }: Needs): Promise<Clock> {
  const clock = await startDatabaseClock(pool, createSystemClock());
  cleanup.add('the database’s clock', () => clock.stop());
  return clock;
}

async function openDatabase(
  config: Config,
  needs: Needs,
): Promise<{ pool: Pool; reportPool: Pool; reserve: Pool; url: string }> {
  const url = config.databaseUrl ?? (await openEmbedded(config, needs));
  const onIdleError = (error: Error) => needs.onProblem('a database connection broke', error);
  const open = (
    max: number,
    applicationName: 'readyline' | 'readyline reports' | 'readyline reserve',
    lockTimeoutMs?: number,
  ) => {
    const pool = createPool({
      url,
      max,
      applicationName,
      onIdleError,
      ...(lockTimeoutMs === undefined ? {} : { lockTimeoutMs }),
    });
    needs.cleanup.add(`the connections of ${applicationName} to PostgreSQL`, () => pool.end());
    return pool;
  };
  return {
    pool: open(poolSize, 'readyline'),
    reportPool: open(reportPoolSize, 'readyline reports'),
    reserve: open(reservePoolSize, 'readyline reserve', reserveLockTimeoutMs),
    url,
  };
}

async function openEmbedded({ dataDir }: Config, { cleanup, say, onFatal, signal }: Needs): Promise<string> {
  const embedded = await startStep('DATA_DIR', () =>
    startEmbeddedPostgres({ dataDir, log: say, onExit: onFatal, signal }),
  );
  cleanup.add('the embedded PostgreSQL', () => embedded.stop());
  return embedded.url;
}
