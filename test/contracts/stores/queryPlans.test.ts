import type { QueryConfig } from 'pg';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addStateChanges,
  endStates,
  listStateChanges,
  pruneStateChanges,
} from '../../../src/adapters/postgres/agents/agentHistory.ts';
import { findCtiAddress, leaseListening } from '../../../src/adapters/postgres/companies/ctiConnectionStore.ts';
import {
  hearCall,
  findLeftEvents,
  pruneHeardCalls,
  recallCall,
} from '../../../src/adapters/postgres/calls/platformNewsStores.ts';
import {
  joinPlatformAgents,
  meetPlatformAgent,
  platformDialsFor,
} from '../../../src/adapters/postgres/companies/platformAgentStore.ts';
import {
  findAgentByCode,
  findAgentById,
  findAgentsByIds,
  findAgentCards,
  findLoginByCode,
  findLoginByEmail,
  findLoginsByCode,
  findLoginsByEmail,
  findSipAccount,
} from '../../../src/adapters/postgres/agents/findAgent.ts';
import { findTeamMembers } from '../../../src/adapters/postgres/agents/teamStore.ts';
import {
  findCall,
  findCallsInProgress,
  findConversation,
  findCorrections,
  findPlatformCalls,
  findUnnamedCall,
} from '../../../src/adapters/postgres/calls/findCalls.ts';
import { findPreviousCalls } from '../../../src/adapters/postgres/calls/previousCalls.ts';
import { beginIdempotency } from '../../../src/adapters/postgres/calls/idempotencyStore.ts';
import { commitCall } from '../../../src/adapters/postgres/calls/writeCall.ts';
import { findReach } from '../../../src/adapters/postgres/reports/agentTimes.ts';
import {
  fireRun,
  fireRunByHand,
  leaseRuns,
  setSchedule,
} from '../../../src/adapters/postgres/reports/reportSchedules.ts';
import { countRefusedByDay, findCallRollUp } from '../../../src/adapters/postgres/reports/reportStore.ts';
import { findCompany } from '../../../src/adapters/postgres/companies/companyStore.ts';
import {
  addNote,
  findCallWith,
  findRecentCalls,
  listActivities,
} from '../../../src/adapters/postgres/contacts/contactActivities.ts';
import { findContact, findContactsByPhone, findSharing } from '../../../src/adapters/postgres/contacts/findContacts.ts';
import { findNamesakes } from '../../../src/adapters/postgres/contacts/holdNumbers.ts';
import { listAuditEntries } from '../../../src/adapters/postgres/contacts/auditStore.ts';
import {
  findErased,
  findKnownEdits,
  findOthersKeys,
  lockCallsOfContact,
} from '../../../src/adapters/postgres/contacts/eraseStatements.ts';
import { takeComparisons } from '../../../src/adapters/postgres/contacts/compareContacts.ts';
import { findCompanyToCompare, listDuplicates } from '../../../src/adapters/postgres/contacts/duplicateStore.ts';
import { countMissedCalls } from '../../../src/adapters/postgres/calls/searchCalls.ts';
import { findDialBan } from '../../../src/adapters/postgres/dialing/dialBan.ts';
import { listDoNotDial, searchDoNotDial } from '../../../src/adapters/postgres/dialing/doNotDialStore.ts';
import { findDeal, firstDeals, listMoves } from '../../../src/adapters/postgres/deals/findDeals.ts';
import { updateDeal } from '../../../src/adapters/postgres/deals/writeDeal.ts';
import { countStateQuarters } from '../../../src/adapters/postgres/reports/countQuarters.ts';
import {
  findChangedMessages,
  findUnreadBy,
  findUnreadMessages,
} from '../../../src/adapters/postgres/messages/findMessages.ts';
import {
  markMessageRead,
  pruneOldMessages,
  takeMessageBack,
} from '../../../src/adapters/postgres/messages/writeMessage.ts';
import { findTask } from '../../../src/adapters/postgres/tasks/findTasks.ts';
import { fireReminder, leaseReminders } from '../../../src/adapters/postgres/tasks/taskReminders.ts';
import { updateTask } from '../../../src/adapters/postgres/tasks/writeTask.ts';
import {
  findCustomers,
  leaseImport,
  lockTouched,
  markRows,
} from '../../../src/adapters/postgres/imports/importStatements.ts';
import { findKnownContacts } from '../../../src/adapters/postgres/imports/knownContacts.ts';
import { updateContact } from '../../../src/adapters/postgres/contacts/writeContact.ts';
import { findPopLayout } from '../../../src/adapters/postgres/companies/popLayoutStore.ts';
import { findTelephony } from '../../../src/adapters/postgres/companies/telephonyStore.ts';
import { findBody } from '../../../src/adapters/postgres/deliveries/deliveryLog.ts';
import {
  finishNotice,
  findNoticeState,
  leaseNotices,
  putOffNotice,
} from '../../../src/adapters/postgres/companies/crmNoticeStatements.ts';
import { readDueCallLogs, readDueDeliveries } from '../../../src/adapters/postgres/deliveries/dueDeliveries.ts';
import { callLogLeases, webhookLeases } from '../../../src/adapters/postgres/deliveries/endpointLeases.ts';
import { redeliver } from '../../../src/adapters/postgres/deliveries/redeliver.ts';
import { settleDeliveries } from '../../../src/adapters/postgres/deliveries/settleDelivery.ts';
import { findApiKey } from '../../../src/adapters/postgres/companies/integrationStore.ts';
import { findScreenPop } from '../../../src/adapters/postgres/screenPopStore.ts';
import {
  findAgentElsewhere,
  findCallElsewhere,
  findDeliveryElsewhere,
  type Statement,
} from '../../../src/adapters/postgres/queries.ts';
import type { CompanyId, TeamId } from '../../../src/domain/ids.ts';
import { openStores, start, type Stores } from './openStores.ts';
import { keepSent } from './sentStatements.ts';

/** One that there is not. */
const id = <Id extends string>() => newId() as Id;
const companyId = id<CompanyId>();

const companies = 500;
const rows = 20_000;

/** A big installation in a few statements; what the rows say is of no matter. */
const bigInstallation = `
  CREATE FUNCTION pg_temp.company(n int) RETURNS uuid LANGUAGE sql
    AS $$ SELECT ('00000000-0000-7000-8000-' || lpad((n % ${companies})::text, 12, '0'))::uuid $$;
  CREATE FUNCTION pg_temp.agent(n int) RETURNS uuid LANGUAGE sql
    AS $$ SELECT ('00000000-0000-7000-9000-' || lpad((n % 5000)::text, 12, '0'))::uuid $$;
  INSERT INTO company (id, slug, name, updated_at)
    SELECT pg_temp.company(n), 'c' || n, 'c', now() FROM generate_series(1, ${companies}) n;
  INSERT INTO integration (company_id, api_key_hash, updated_at) SELECT id, slug, now() FROM company;
  INSERT INTO telephony (company_id, updated_at) SELECT id, now() FROM company;
  INSERT INTO crm_inbound (company_id, provider, token_hash) SELECT id, 'zoho', id::text FROM company;
  INSERT INTO pop_layout (company_id, fields, version, updated_at) SELECT id, '[]', 1, now() FROM company;
  INSERT INTO webhook_endpoint (company_id, url, updated_at) SELECT id, 'https://example.com', now() FROM company;
  INSERT INTO agent (id, company_id, agent_code, name, role, password_hash, updated_at)
    SELECT pg_temp.agent(n), pg_temp.company(n), 'a' || n, 'a', 'agent', 'h', now() FROM generate_series(1, 5000) n;
  INSERT INTO screen_pop_entry (company_id, phone, data)
    SELECT pg_temp.company(n), '+1555' || n, '{}' FROM generate_series(1, ${rows}) n;
  INSERT INTO call (id, company_id, agent_id, direction, trigger, state, phone, created_at, ended_at)
    SELECT gen_random_uuid(), pg_temp.company(n), pg_temp.agent(n), 'outbound', 'manual_dial', 'ended', '+1' || n,
      now(), now()
    FROM generate_series(1, ${rows}) n;
  INSERT INTO webhook_delivery (id, company_id, event, call_id, sequence, body, state, due_at)
    SELECT gen_random_uuid(), company_id, 'call_started', id, 1, '{}',
      CASE WHEN random() < 0.1 THEN 'pending' ELSE 'delivered' END, now() FROM call;
  INSERT INTO crm_connection (company_id, provider, credentials_encrypted, options, facts, account,
    keep_seconds, updated_at)
    SELECT id, 'hubspot', '', '{}', '{}', '', 600, now() FROM company;
  INSERT INTO crm_delivery (company_id, id, call_id, sequence, state, due_at)
    SELECT company_id, gen_random_uuid(), id, 1, 'delivered', now() FROM call;
  INSERT INTO cti_connection (company_id, connector, token_hash) SELECT id, 'genesys', id::text FROM company;
  INSERT INTO platform_agent (company_id, connector, platform_id, agent_id, state, state_at, seen_at)
    SELECT company_id, 'genesys', id::text, id, 'ready', now(), now() FROM agent;
  INSERT INTO heard_call (company_id, connector, call_id, heard_at) SELECT company_id, 'genesys', id::text, now()
  FROM agent;
  INSERT INTO waiting_platform_event (company_id, id, connector, event, heard_at)
  SELECT company_id, id, 'genesys', '{}', now() FROM agent;
  INSERT INTO crm_notice_queue (company_id) SELECT id FROM company;
  INSERT INTO crm_notice (company_id, provider, object, record_id, version, told_at)
    SELECT pg_temp.company(n), 'hubspot', 'contact', n, gen_random_uuid(), now() FROM generate_series(1, ${rows}) n;
  -- Without what triggers do for each row.
  SET session_replication_role = replica;
  INSERT INTO contact (company_id, id, owner_id, created_at, updated_at)
    SELECT pg_temp.company(n), gen_random_uuid(), gen_random_uuid(), now(), now() FROM generate_series(1, ${rows}) n;
  INSERT INTO contact_phone (company_id, phone, contact_id, position) SELECT company_id, '+1' || row_number() OVER (),
    id, 1 FROM contact;
  INSERT INTO contact_email (company_id, contact_id, email, position) SELECT company_id, id, id::text, 1 FROM contact;
  INSERT INTO contact_redirect (company_id, id, contact_id) SELECT company_id, gen_random_uuid(), id FROM contact;
  INSERT INTO task (company_id, id, kind, contact_id, due_at, time_zone, created_at, updated_at)
  SELECT company_id, id, 'task', id, now(), 'UTC', now(), now() FROM contact;
  INSERT INTO import (company_id, id, state, source, file_name, agent_id, delimiter, encoding, has_header, first_row,
    mapping, created_at, updated_at, due_at)
    SELECT company_id, id, 'running', 'file', 'f', id, ',', 'utf-8', false, '[]', '[]', now(), now(),
      CASE WHEN random() < 0.01 THEN now() END FROM contact;
  INSERT INTO import_row (company_id, import_id, row, cells, outcome) SELECT company_id, id, n, '[]', 'created'
  FROM import, generate_series(1, 1) n;
  INSERT INTO import_key (company_id, import_id, pass, key, row) SELECT company_id, id, 1, 'k', 1 FROM import;
  INSERT INTO pipeline (company_id, id, name, created_at, updated_at) SELECT id, id, 'p', now(), now() FROM company;
  INSERT INTO pipeline_stage (company_id, pipeline_id, id, name, position, outcome, probability)
  SELECT id, id, gen_random_uuid(), 's', n, 'open', 10 FROM company, generate_series(1, 5) n;
  INSERT INTO deal (company_id, id, pipeline_id, stage_id, name, contact_id, moved_at, created_at, updated_at)
    SELECT c.company_id, c.id, s.pipeline_id, s.id, 'd', c.id, now(), now(), now()
    FROM contact c JOIN pipeline_stage s ON s.company_id = c.company_id AND s.position = 1;
  INSERT INTO deal_move (company_id, deal_id, id, at, to_stage_id, to_stage)
  SELECT company_id, id, gen_random_uuid(), now(), stage_id, 's' FROM deal;
  INSERT INTO organisation (company_id, id, name, created_at, updated_at)
  SELECT company_id, id, 'o', now(), now() FROM contact;
  INSERT INTO contact_change (company_id, contact_id, id, at, kind) SELECT company_id, id, gen_random_uuid(), now(),
    'created' FROM contact;
  RESET session_replication_role;
  INSERT INTO do_not_dial (company_id, id, pattern, created_at) SELECT pg_temp.company(n), gen_random_uuid(),
    '+1555' || n, now() FROM generate_series(1, ${rows}) n;
  INSERT INTO idempotency_key (company_id, key, request_hash, expires_at)
    SELECT pg_temp.company(n), 'k' || n, 'h', now() FROM generate_series(1, ${rows}) n;
  ANALYZE;`;

/**
 * Plans are held against what ANALYZE found; after a vacuum, which may come at any moment,
 * index-only scans look cheaper, and others are chosen among indexes that serve as well here.
 */
const unvacuumed = `DO $$ DECLARE one regclass; BEGIN
    FOR one IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
      EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = off)', one);
    END LOOP;
  END $$`;

/** Contacts that are probably one person, and some that were. */
const suggested = `
  INSERT INTO contact_duplicate (company_id, id, contact_id, other_id, score)
  SELECT company_id, gen_random_uuid(), id, id, 30 FROM contact LIMIT 5000;
  INSERT INTO contact_to_compare (company_id, contact_id, change) SELECT company_id, id, 1 FROM contact LIMIT 5000;
  INSERT INTO call_correction (company_id, call_id, id, after, at) SELECT company_id, id, gen_random_uuid(), '{}', now()
  FROM call LIMIT 5000;
  ANALYZE call_correction;
  INSERT INTO audit_entry (company_id, id, kind, contact_id, at) SELECT company_id, gen_random_uuid(), 'contact_erased',
    id, now() FROM contact LIMIT 5000;
  INSERT INTO erased_number (company_id, hash, at) SELECT company_id, id::text, now() FROM contact LIMIT 5000;
  ANALYZE contact_duplicate, contact_to_compare, audit_entry, erased_number;`;

/** Ten teams of ten agents for each company, and who leads them. */
const inTeams = `
  INSERT INTO team (company_id, id, code, name, created_at, updated_at)
  SELECT id, gen_random_uuid(), 't' || n, 't', now(), now() FROM company, generate_series(1, 10) n;
  INSERT INTO team_member (company_id, team_id, agent_id) SELECT t.company_id, t.id, a.id
  FROM team t JOIN agent a ON a.company_id = t.company_id;
  INSERT INTO team_lead (company_id, agent_id, team_id) SELECT company_id, agent_id, team_id FROM team_member;
  ANALYZE team, team_member, team_lead;`;

/** What its supervisors watch. */
const watched = `
  INSERT INTO agent_state_change (company_id, agent_id, at, version, state, call_id)
    SELECT company_id, id, now() - n * interval '1 minute', n, 'not_ready', id FROM agent, generate_series(1, 4) n;
  INSERT INTO click_tally (company_id, at)
    SELECT id, now() - n * interval '15 minutes' FROM company, generate_series(1, 40) n;
  INSERT INTO report_reach (company_id, rolled_up_until) SELECT id, now() FROM company;
  INSERT INTO agent_time (company_id, at, agent_id, signed_in_ms, busy_ms, wrap_up_ms)
    SELECT company_id, now() - n * interval '15 minutes', id, 1, 1, 1 FROM agent, generate_series(1, 4) n;
  INSERT INTO call_roll_up (company_id, until, version) SELECT id, now(), 1 FROM company;
  INSERT INTO stale_call_day (company_id, at, change) SELECT id, now() - n * interval '1 day', n
  FROM company, generate_series(1, 10) n;
  INSERT INTO report_view (company_id, id, owner_id, name, filter, created_at, updated_at)
  SELECT company_id, id, id, 'v', '{}', now(), now() FROM agent;
  INSERT INTO report_schedule (company_id, view_id, every, time_of_day, time_zone, next_at, due_at)
    SELECT company_id, id, 'day', '07:00', 'UTC', now(), now() + random() * interval '1 day' FROM report_view;
  INSERT INTO message (company_id, id, sender_id, text, audience, created_at, expires_at, changed_at)
    SELECT company_id, gen_random_uuid(), id, 'm', 'everybody', now(), now(), now() FROM agent;
  INSERT INTO message_reader (company_id, agent_id, message_id) SELECT company_id, sender_id, id FROM message;
  ANALYZE agent_state_change, click_tally, report_reach, agent_time, call_roll_up, stale_call_day, report_view,
  report_schedule, message, message_reader;`;

type PlanNode = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: PlanNode[] };

describe('the plans of the hot statements', () => {
  let stores: Stores;

  let sent: QueryConfig[];

  beforeAll(async () => {
    stores = await openStores();
    sent = keepSent(stores.pool);
    // One after the other: all of it in one request takes a busy machine longer than a request may.
    const client = await stores.pool.connect();
    // Nobody else reads the tables before all of it is there.
    await client.query(unvacuumed);
    await client.query('BEGIN');
    for (const statement of [bigInstallation, suggested, inTeams, watched].flatMap((text) => text.split(/;\n/)))
      await client.query(statement);
    await client.query('COMMIT');
    client.release();
  });
  afterAll(() => stores.close());

  /** Every node of the plan that a prepared statement keeps, whatever its parameters. */
  async function planOf({ name, text }: Statement): Promise<PlanNode[]> {
    const client = await stores.pool.connect();
    try {
      await client.query('SET plan_cache_mode = force_generic_plan');
      await client.query(`PREPARE ${name} AS ${text}`);
      const count = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
      const nulls = Array.from({ length: count }, () => 'NULL').join(', ');
      const explained = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (FORMAT JSON) EXECUTE ${name}(${nulls})`,
      );
      const plan = explained.rows[0]?.['QUERY PLAN'][0].Plan;
      return plan === undefined ? [] : nodesOf(plan);
    } finally {
      client.release(true);
    }
  }

  // An id is one row by its own index as well as by the key that begins with the company.
  it.each([
    [findScreenPop, ['screen_pop_entry_pkey']],
    [findCall, ['call_pkey|call_id_idx']],
    [findBody, ['webhook_delivery_pkey|webhook_delivery_id_idx']],
    [findAgentById, ['agent_pkey|agent_id_idx', 'team_lead_pkey']],
    [findAgentsByIds, ['agent_pkey|agent_id_idx', 'team_lead_pkey']],
    [findAgentByCode, ['agent_company_id_agent_code_key|agent_folded_code_idx', 'team_lead_pkey']],
    [findLoginsByCode, ['agent_folded_code_idx', 'team_lead_pkey']],
    [findLoginByCode, ['agent_company_id_agent_code_key|agent_folded_code_idx', 'team_lead_pkey']],
    [findLoginByEmail, ['agent_company_id_email_key|agent_email_idx', 'team_lead_pkey']],
    [findTeamMembers, ['team_company_id_code_key', 'team_member_pkey']],
    [findAgentElsewhere, ['agent_id_idx']],
    [findCallElsewhere, ['call_id_idx']],
    [findDeliveryElsewhere, ['webhook_delivery_id_idx', 'crm_delivery_id_idx']],
    [findLoginsByEmail, ['agent_email_idx', 'team_lead_pkey']],
    [findApiKey, ['integration_api_key_hash_idx']],
    [
      findCompany,
      ['company_pkey', 'integration_pkey', 'contact_.*', 'task_.*', 'do_not_dial_.*', 'cti_connection_pkey'],
    ],
    [findContact, ['contact_pkey', 'contact_phone_company_id_contact_id_position_idx']],
    [findContactsByPhone, ['contact_phone_pkey', 'contact_pkey', 'call_active_key|call_company_id_phone_id_idx']],
    [findSharing, ['contact_phone_pkey', 'contact_pkey']],
    [findNamesakes, ['contact_phone_pkey|contact_phone_company_id_contact_id_position_idx', 'contact_pkey']],
    [
      listActivities,
      [
        'contact_change_pkey',
        'contact_phone_company_id_contact_id_position_idx',
        'call_company_id_phone_id_idx',
        'call_contact_idx',
      ],
    ],
    [addNote, ['contact_pkey']],
    [
      findRecentCalls,
      [
        'contact_phone_company_id_contact_id_position_idx',
        'call_company_id_phone_id_idx',
        'call_contact_idx',
        'agent_pkey|agent_id_idx',
      ],
    ],
    [findPreviousCalls, ['call_company_id_phone_id_idx', 'agent_pkey|agent_id_idx']],
    [findCallWith, ['call_active_key', 'contact_phone_pkey|contact_phone_company_id_contact_id_position_idx']],
    [updateContact, ['contact_pkey', 'webhook_endpoint_pkey']],
    [
      findDialBan,
      [
        'contact_pkey|contact_do_not_call_idx',
        'contact_phone_pkey',
        'contact_redirect_pkey',
        'do_not_dial_company_id_pattern_key',
      ],
    ],
    [listDoNotDial, ['do_not_dial_company_id_pattern_key']],
    [searchDoNotDial, ['do_not_dial_company_id_pattern_key']],
    [countMissedCalls, ['call_company_id_agent_id_id_idx']],
    [listAuditEntries, ['audit_entry_pkey', 'agent_pkey|agent_id_idx']],
    [findErased, ['erased_number_pkey']],
    [lockCallsOfContact, ['call_company_id_phone_id_idx', 'call_contact_idx', 'call_popped_contact_idx']],
    [findKnownEdits, ['contact_change_pkey']],
    [
      findOthersKeys,
      ['contact_phone_pkey', 'contact_email_company_id_email_idx', 'contact_company_id_external_id_key'],
    ],
    [
      lockTouched,
      [
        'contact_pkey|contact_company_id_.*',
        'contact_change_pkey',
        'deal_company_id_contact_id_id_idx',
        'call_company_id_phone_id_idx',
        'call_contact_idx',
      ],
    ],
    [findCompanyToCompare, ['contact_to_compare_pkey']],
    [takeComparisons, ['contact_to_compare_pkey']],
    [listDuplicates, ['contact_duplicate_open_idx']],
    [
      findTask,
      [
        'task_pkey',
        'contact_pkey',
        'contact_phone_pkey',
        'contact_phone_company_id_contact_id_position_idx',
        'agent_pkey|agent_id_idx',
      ],
    ],
    [updateTask, ['task_pkey', 'contact_pkey']],
    [findDeal, ['deal_pkey', 'pipeline_stage_pkey', 'contact_pkey', 'agent_pkey|agent_id_idx', 'organisation_pkey']],
    [
      firstDeals,
      [
        'deal_company_id_pipeline_id_stage_id_moved_at_id_idx',
        'pipeline_stage_pkey',
        'contact_pkey',
        'agent_pkey|agent_id_idx',
        'organisation_pkey',
      ],
    ],
    [listMoves, ['deal_move_pkey', 'deal_pkey', 'pipeline_stage_pkey', 'contact_pkey', 'agent_pkey|agent_id_idx']],
    [updateDeal, ['deal_pkey', 'webhook_endpoint_pkey']],
    [leaseReminders, ['task_remind_idx', 'task_pkey']],
    [fireReminder, ['task_pkey|task_remind_idx', 'webhook_endpoint_pkey']],
    [
      findKnownContacts,
      [
        'contact_pkey',
        'contact_phone_pkey',
        'contact_company_id_external_id_key',
        'contact_email_company_id_email_idx',
      ],
    ],
    [leaseImport, ['import_due_idx', 'import_pkey']],
    [findCustomers, ['import_key_pkey']],
    [markRows, ['import_row_pkey']],
    [findTelephony, ['telephony_pkey']],
    [findPopLayout, ['pop_layout_pkey']],
    [findSipAccount, ['agent_pkey|agent_id_idx']],
    [findCallsInProgress, ['call_active_key']],
    [findPlatformCalls, ['call_platform_key']],
    [findConversation, ['call_pkey|call_id_idx', 'call_conversation_idx']],
    [findCorrections, ['call_correction_pkey', 'agent_pkey|agent_id_idx']],
    [findUnnamedCall, ['call_active_key|call_active_by_source_key']],
    [findCtiAddress, ['cti_connection_token_hash_idx']],
    [leaseListening, ['cti_connection_listens_idx', 'cti_connection_pkey']],
    [platformDialsFor, ['platform_agent_company_id_agent_id_idx', 'cti_connection_pkey']],
    [
      meetPlatformAgent,
      [
        'platform_agent_pkey',
        'cti_connection_pkey',
        'agent_company_id_email_key|agent_email_idx',
        'agent_company_id_agent_code_key|agent_folded_code_idx',
      ],
    ],
    [joinPlatformAgents, ['platform_agent_pkey']],
    [hearCall, ['cti_connection_pkey']],
    [recallCall, ['heard_call_pkey']],
    [pruneHeardCalls, ['heard_call_heard_at_idx', 'heard_call_pkey']],
    [findLeftEvents, ['waiting_platform_event_heard_at_idx']],
    [addStateChanges, ['agent_pkey|agent_id_idx']],
    [listStateChanges, ['agent_state_change_pkey']],
    [pruneStateChanges, ['agent_state_change_at_idx']],
    [countRefusedByDay, ['click_tally_pkey']],
    [findReach, ['report_reach_pkey']],
    [findCallRollUp, ['call_roll_up_pkey', 'stale_call_day_pkey']],
    [setSchedule, ['report_view_pkey']],
    [leaseRuns, ['report_schedule_due_at_idx', 'report_schedule_pkey', 'report_view_pkey']],
    [fireRun, ['report_schedule_pkey|report_schedule_due_at_idx', 'webhook_endpoint_pkey']],
    [fireRunByHand, ['report_schedule_pkey', 'webhook_endpoint_pkey']],
    [
      findUnreadMessages,
      ['message_reader_company_id_agent_id_message_id_idx', 'message_pkey', 'agent_pkey|agent_id_idx'],
    ],
    [findUnreadBy, ['message_reader_pkey|message_reader_company_id_agent_id_message_id_idx']],
    [findChangedMessages, ['message_company_id_changed_at_idx', 'agent_pkey|agent_id_idx']],
    [markMessageRead, ['message_reader_pkey|message_reader_company_id_agent_id_message_id_idx']],
    [takeMessageBack, ['message_pkey']],
    [pruneOldMessages, ['message_created_at_idx']],
    [beginIdempotency, ['idempotency_key_pkey']],
    [
      commitCall({ events: 1, log: true, callback: true, correction: true }),
      [
        'webhook_delivery_company_id_call_id_sequence_idx',
        'crm_delivery_company_id_call_id_sequence_idx',
        'crm_connection_pkey',
      ],
    ],
    [finishNotice, ['crm_notice_pkey', 'crm_notice_queue_pkey']],
    [findNoticeState, ['crm_notice_pkey', 'crm_notice_queue_pkey']],
    [putOffNotice, ['crm_notice_pkey', 'crm_notice_queue_pkey']],
    [
      settleDeliveries,
      ['webhook_delivery_pkey|webhook_delivery_id_idx', 'webhook_delivery_company_id_call_id_sequence_idx'],
    ],
    [redeliver, ['webhook_delivery_pkey|webhook_delivery_id_idx', 'webhook_delivery_company_id_call_id_sequence_idx']],
  ] as const)('$name reads by index alone', async (statement, indexes) => {
    const nodes = await planOf(statement);
    expect(nodes.map((node) => node['Index Name'])).toEqual(anyOf(indexes));
    expect(scannedTables(nodes).filter((table) => table !== 'webhook_endpoint')).toEqual([]);
  });

  // As it is asked for, be it by Prisma or by SQL.
  it.each<[what: string, ask: (of: Stores) => Promise<unknown>, indexes: string[]]>([
    ['the people of a company', ({ agents }) => agents.people(companyId), []],
    ['who has an account at the PBX', ({ agents }) => agents.extensions(companyId), []],
    ['a log-in’s company', ({ agents }) => agents.findForLogin({ email: 'e', companySlug: 's' }), ['company_slug_key']],
    ['the members of teams', ({ teams }) => teams.membersOfAny(companyId, [id<TeamId>()]), ['team_member_pkey']],
    ['the steps of a call', ({ calls }) => calls.steps(companyId, id()), ['call_pkey|call_id_idx']],
    ['clicks', ({ clickTallies }) => clickTallies.list(companyId, start), ['click_tally_pkey']],
    [
      'an event that waits',
      ({ waitingEvents }) => waitingEvents.drop(companyId, id()),
      ['waiting_platform_event_pkey'],
    ],
    ['a notice that came', ({ crmInbound }) => crmInbound.noteReceived(companyId, 'zoho'), ['crm_inbound_.*']],
    [
      'a notice that is withdrawn',
      ({ crmNotices }) => crmNotices.withdraw(companyId, 'hubspot', { object: 'contact', id: '1' }),
      ['crm_notice_pkey'],
    ],
    [
      'a platform’s event',
      ({ ctiConnections }) => ctiConnections.noteReceived(companyId, 'genesys'),
      ['cti_connection_.*'],
    ],
    [
      'a platform’s agent who is known',
      ({ platformAgents }) => platformAgents.meet(companyId, 'genesys', { platformId: '1', email: null, name: null }),
      ['platform_agent_pkey', 'agent_pkey|agent_id_idx'],
    ],
    [
      'what a platform tells of an agent',
      ({ platformAgents }) =>
        platformAgents.noteState(companyId, 'genesys', '1', { state: 'ready', reason: null, at: start }),
      ['platform_agent_pkey'],
    ],
    [
      'a page of a platform’s agents',
      ({ platformAgents }) => platformAgents.list(companyId, 'genesys', { cursor: null, limit: 50 }),
      ['platform_agent_pkey'],
    ],
    [
      'an agent’s platforms',
      ({ platformAgents }) => platformAgents.ofAgent(companyId, id()),
      ['platform_agent_company_id_agent_id_idx'],
    ],
    [
      'a platform’s agent by name',
      ({ platformAgents }) => platformAgents.idOfName(companyId, 'genesys', 'n'),
      ['platform_agent_pkey|platform_agent_company_id_agent_id_idx'],
    ],
    ['where a contact went', ({ contacts }) => contacts.find(companyId, 'all', id()), ['contact_redirect_pkey']],
    ['whether contacts wait', ({ duplicates }) => duplicates.isComparing(companyId), ['contact_to_compare_pkey']],
    [
      'a duplicate that is none',
      ({ duplicates }) => duplicates.dismiss(companyId, id(), id(), start),
      ['contact_duplicate_pkey'],
    ],
    [
      'earlier logs of a call',
      ({ callLog }) => callLog.earlier(companyId, id(), 2, 'hubspot'),
      ['crm_delivery_company_id_call_id_sequence_idx'],
    ],
    [
      'what is kept of a record',
      ({ screenPops }) => screenPops.forgetRecord(companyId, { externalSystem: 'hubspot', object: 'contact', id: '1' }),
      ['screen_pop_entry_company_id_external_id_idx'],
    ],
    ['rows of an import', ({ imports }) => imports.rows(companyId, id(), 0, 50), ['import_row_pkey']],
    [
      'rows of an import by outcome',
      ({ imports }) => imports.rows(companyId, id(), 0, 50, 'refused'),
      ['import_row_company_id_import_id_outcome_row_idx'],
    ],
    [
      'messages that last',
      ({ messages }) => messages.countLasting(companyId, start),
      ['message_pkey|message_company_id_changed_at_idx'],
    ],
    [
      'a reminder that is done',
      ({ tasks }) => tasks.reminded({ companyId, id: id(), leasedUntil: start }),
      ['task_pkey|task_remind_idx'],
    ],
  ])('a store finds %s by index alone', async (_, ask, indexes) => {
    const before = sent.length;
    await ask(stores);
    const asked = sent.slice(before).map(({ text }) => planOf({ name: 'asked', text }));
    const nodes = (await Promise.all(asked)).flat();
    expect(nodes.map((node) => node['Index Name'])).toEqual(anyOf(indexes));
    expect(nodes).not.toEqual([]);
    expect(scannedTables(nodes)).toEqual([]);
  });

  it('count_state_quarters reads what each agent did by index', async () => {
    const nodes = await planOf(countStateQuarters);
    expect(nodes.filter((node) => node['Index Name'] === 'agent_state_change_pkey')).toHaveLength(3);
    expect(scannedTables(nodes).filter((table) => table !== 'agent')).toEqual([]);
  });

  it('end_states reads the latest change of each agent by index', async () => {
    const nodes = await planOf(endStates);
    expect(nodes.map((node) => node['Index Name'])).toContain('agent_state_change_pkey');
    expect(scannedTables(nodes)).toEqual(['agent']);
  });

  it('find_agent_cards reads the agents of the company, and no others', async () => {
    expect(scannedTables(await planOf(findAgentCards))).toEqual([]);
  });

  it('lease_notices reads the first record of a company by its index, and never all of them', async () => {
    const nodes = await planOf(leaseNotices);
    expect(nodes.map((node) => node['Index Name'])).toContain('crm_notice_company_id_told_at_idx');
    expect(scannedTables(nodes)).not.toContain('crm_notice');
  });

  it.each([
    [webhookLeases.lease, 'webhook_delivery', []],
    [readDueDeliveries, 'webhook_delivery', ['webhook_delivery_company_id_call_id_sequence_idx']],
    [callLogLeases.lease, 'crm_delivery', []],
    [readDueCallLogs, 'crm_delivery', ['crm_delivery_company_id_call_id_sequence_idx']],
  ])(
    '$0.name reads the waiting deliveries of an endpoint by their index, and never the finished ones',
    async (statement, table, more) => {
      const nodes = await planOf(statement);
      expect(nodes.map((node) => node['Index Name'])).toEqual(expect.arrayContaining([`${table}_due_idx`, ...more]));
      expect(scannedTables(nodes)).not.toContain(table);
    },
  );
});

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

function scannedTables(nodes: PlanNode[]): (string | undefined)[] {
  return nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']);
}

/** At least these, each of which may be one or another. */
function anyOf(indexes: readonly string[]): unknown {
  return expect.arrayContaining(indexes.map((either) => expect.stringMatching(`^(?:${either})$`)));
}
