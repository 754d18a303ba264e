import { v7 as newId } from 'uuid';
import { createAgentHistoryStore } from '../../../src/adapters/postgres/agents/agentHistory.ts';
import { createAgentStore } from '../../../src/adapters/postgres/agents/agentStore.ts';
import { createCallStore } from '../../../src/adapters/postgres/calls/callStore.ts';
import { createClickTallyStore } from '../../../src/adapters/postgres/calls/clickTallies.ts';
import {
  createHeardCallStore,
  createWaitingEventStore,
} from '../../../src/adapters/postgres/calls/platformNewsStores.ts';
import { createIdempotencyStore } from '../../../src/adapters/postgres/calls/idempotencyStore.ts';
import { createCompanyStore } from '../../../src/adapters/postgres/companies/companyStore.ts';
import { createCrmConnectionStore } from '../../../src/adapters/postgres/companies/crmConnectionStore.ts';
import { createAgentTokenStore, createCrmTokenStore } from '../../../src/adapters/postgres/companies/tokenStores.ts';
import { createCrmLoginStore } from '../../../src/adapters/postgres/companies/crmLoginStore.ts';
import { createCrmNoticeStore } from '../../../src/adapters/postgres/companies/crmNoticeStore.ts';
import { createCtiConnectionStore } from '../../../src/adapters/postgres/companies/ctiConnectionStore.ts';
import { createPlatformAgentStore } from '../../../src/adapters/postgres/companies/platformAgentStore.ts';
import { createCrmInboundStore } from '../../../src/adapters/postgres/companies/crmInboundStore.ts';
import { createIntegrationStore } from '../../../src/adapters/postgres/companies/integrationStore.ts';
import { createPopLayoutStore } from '../../../src/adapters/postgres/companies/popLayoutStore.ts';
import { createTelephonyStore } from '../../../src/adapters/postgres/companies/telephonyStore.ts';
import { createCallLogOutbox } from '../../../src/adapters/postgres/deliveries/callLogOutbox.ts';
import { createOutbox } from '../../../src/adapters/postgres/deliveries/outbox.ts';
import { createPool, createPrisma } from '../../../src/adapters/postgres/pool.ts';
import { createContactStore } from '../../../src/adapters/postgres/contacts/contactStore.ts';
import { createAuditStore } from '../../../src/adapters/postgres/contacts/auditStore.ts';
import { createDuplicateStore } from '../../../src/adapters/postgres/contacts/duplicateStore.ts';
import { createDealStore } from '../../../src/adapters/postgres/deals/dealStore.ts';
import { createDoNotDialStore } from '../../../src/adapters/postgres/dialing/doNotDialStore.ts';
import { createSoftphoneKeep } from '../../../src/adapters/postgres/dialing/softphoneKeep.ts';
import { createAgentTimeStore } from '../../../src/adapters/postgres/reports/agentTimes.ts';
import { createCallRollUpStore } from '../../../src/adapters/postgres/reports/callRollUps.ts';
import { createReportScheduleStore } from '../../../src/adapters/postgres/reports/reportSchedules.ts';
import { createReportStore } from '../../../src/adapters/postgres/reports/reportStore.ts';
import { createReportViewStore } from '../../../src/adapters/postgres/reports/reportViews.ts';
import { createTeamStore } from '../../../src/adapters/postgres/agents/teamStore.ts';
import { createPipelineStore } from '../../../src/adapters/postgres/deals/pipelineStore.ts';
import { createMessageStore } from '../../../src/adapters/postgres/messages/messageStore.ts';
import { createTaskStore } from '../../../src/adapters/postgres/tasks/taskStore.ts';
import { createContactSearch } from '../../../src/adapters/postgres/contacts/contactSearch.ts';
import { createOrganisationStore } from '../../../src/adapters/postgres/contacts/organisationStore.ts';
import { createImportStore } from '../../../src/adapters/postgres/imports/importStore.ts';
import { createScreenPopStore } from '../../../src/adapters/postgres/screenPopStore.ts';
import type { Call } from '../../../src/domain/calls.ts';
import { type AgentId, type CallId, type CompanyId, type DeliveryId, toId } from '../../../src/domain/ids.ts';
import type { PhoneNumber } from '../../../src/domain/phones/phoneNumbers.ts';
import type { NewAgent } from '../../../src/ports/agents.ts';
import type { OutboxEvent } from '../../../src/ports/outbox.ts';
import { createDatabase } from '../../support/stores/postgres.ts';
import { createManualClock } from '../../support/time/manualClock.ts';
import { spreadTables } from './spreadTables.ts';

/** When the stores' clock stands at first. */
export const start = new Date('2026-11-21T09:00:00.000Z');

export type Stores = Awaited<ReturnType<typeof openStores>>;

/**
 * Every store over a database of its own; `{spread: true}`: whose tables are spread by company. `close` fails when a
 * connection was not given back.
 */
export async function openStores({ spread = false } = {}) {
  const database = await createDatabase();
  const pool = createPool({ url: database.url, max: 12, applicationName: 'store tests' });
  if (spread) await spreadTables(pool);
  const prisma = createPrisma(pool);
  const clock = createManualClock(start.getTime());
  const parts = { pool, prisma, clock, reserve: pool };
  return {
    ...parts,
    agents: createAgentStore(parts),
    teams: createTeamStore(parts),
    doNotDial: createDoNotDialStore(parts),
    softphoneKeep: createSoftphoneKeep(parts),
    reports: createReportStore(parts),
    agentTimes: createAgentTimeStore(parts),
    callRollUps: createCallRollUpStore(parts),
    reportSchedules: createReportScheduleStore(parts),
    reportViews: createReportViewStore(parts),
    companies: createCompanyStore(parts),
    integrations: createIntegrationStore(parts),
    contacts: createContactStore(parts),
    contactSearch: createContactSearch(parts),
    imports: createImportStore(parts),
    audit: createAuditStore(parts),
    duplicates: createDuplicateStore(parts),
    organisations: createOrganisationStore(parts),
    deals: createDealStore(parts),
    pipelines: createPipelineStore(parts),
    tasks: createTaskStore(parts),
    screenPops: createScreenPopStore(parts),
    crmInbound: createCrmInboundStore(parts),
    ctiConnections: createCtiConnectionStore(parts),
    platformAgents: createPlatformAgentStore(parts),
    heardCalls: createHeardCallStore(parts),
    waitingEvents: createWaitingEventStore(parts),
    crmLogins: createCrmLoginStore(parts),
    crmNotices: createCrmNoticeStore(parts),
    calls: createCallStore(parts),
    messages: createMessageStore(parts),
    idempotency: createIdempotencyStore(parts),
    outbox: createOutbox(parts),
    callLog: createCallLogOutbox(parts),
    crmConnections: createCrmConnectionStore(parts),
    agentTokens: createAgentTokenStore(parts),
    crmTokens: createCrmTokenStore(parts),
    telephony: createTelephonyStore(parts),
    popLayouts: createPopLayoutStore(parts),
    agentHistory: createAgentHistoryStore(parts),
    clickTallies: createClickTallyStore(parts),
    /** Another gateway with a single connection: a transaction that is begun on it stays open. */
    openSession: () => createPool({ url: database.url, max: 1, applicationName: 'another gateway' }),
    async close() {
      const leaked = pool.totalCount - pool.idleCount;
      await prisma.$disconnect();
      await pool.end();
      await database.drop();
      if (leaked > 0) throw new Error(`${leaked} connections were not given back`);
    },
  };
}

/** Seconds after the start. */
export function after(seconds: number): Date {
  return new Date(start.getTime() + seconds * 1000);
}

export function phoneNumber(number: number): PhoneNumber {
  return `+1555${String(1_000_000 + number)}` as PhoneNumber;
}

export function newAgent(agentCode: string, more: Partial<NewAgent> = {}): NewAgent {
  return {
    id: toId<AgentId>(newId()),
    agentCode,
    name: `Agent ${agentCode}`,
    email: null,
    role: 'agent',
    passwordHash: 'a hash',
    ...more,
  };
}

/** A company with one agent; with a webhook endpoint where `webhookUrl` is given. */
export async function makeCompany({ companies, integrations }: Stores, webhookUrl?: string) {
  const id = toId<CompanyId>(newId());
  const agent = newAgent('100');
  const made = await companies.create({ id, slug: `company-${id}`, name: 'Acme' }, [agent]);
  if (made.kind !== 'created') throw new Error('the slug is taken');
  if (webhookUrl !== undefined) await integrations.update(id, () => ({ webhookUrl }));
  return { companyId: id, agentId: agent.id };
}

export type MadeCompany = Awaited<ReturnType<typeof makeCompany>>;

export function newCall({ companyId, agentId }: MadeCompany, more: Partial<Call> = {}): Call {
  return {
    id: toId<CallId>(newId()),
    companyId,
    agentId,
    direction: 'outbound',
    trigger: 'click_to_dial',
    state: 'dialing',
    phone: phoneNumber(1),
    caller: null,
    externalId: null,
    contactId: null,
    campaignId: null,
    metadata: null,
    screenPop: null,
    createdAt: start,
    ringingAt: null,
    answeredAt: null,
    endedAt: more.state === 'ended' ? start : null,
    heldAt: null,
    holdMs: 0,
    quality: null,
    endReason: null,
    endedBy: null,
    endDetail: null,
    transferredTo: null,
    parentCallId: null,
    transferredFrom: null,
    sipCode: null,
    sipCallId: null,
    dialedNumber: null,
    queue: null,
    callerId: null,
    disposition: null,
    platform: null,
    slot: 0,
    tags: [],
    notesDraft: null,
    erasedAt: null,
    codeDraft: null,
    callbackDraft: null,
    draftAt: null,
    recordingUrl: null,
    overrideBy: null,
    sequence: 0,
    version: 1,
    ...more,
  };
}

export function eventOf(call: Call, sequence: number, event: OutboxEvent['event'] = 'call_started'): OutboxEvent {
  return { id: toId<DeliveryId>(newId()), event, callId: call.id, sequence, body: `{"sequence":${sequence}}` };
}

/** Calls of a company, each with one event that waits. */
export async function makeWaitingEvents(
  { calls }: Stores,
  company: MadeCompany,
  count: number,
): Promise<OutboxEvent[]> {
  const events: OutboxEvent[] = [];
  for (let i = 0; i < count; i++) {
    const call = newCall(company, { state: 'ended', sequence: 1 });
    const event = eventOf(call, 1);
    await calls.create(call, [event]);
    events.push(event);
  }
  return events;
}
