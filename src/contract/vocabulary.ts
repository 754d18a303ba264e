/**
 * The words that cross a wire: every enumerated value of the REST, Socket.IO and webhook contracts.
 * Plain constants without a library, so that the rules in `domain` speak the same words.
 */

/** Who an agent account may be. `dialer` is a machine that dials or looks up for the company. */
export const roles = ['admin', 'supervisor', 'agent', 'dialer'] as const;
export type Role = (typeof roles)[number];

/**
 * What people’s digits without a plus are where they could be a national number of the company’s country,
 * or another’s with its country code.
 */
export const bareDigitsRules = ['national', 'international'] as const;
export type BareDigits = (typeof bareDigitsRules)[number];

/** The languages that the pages speak (BCP 47). */
export const languages = ['en', 'de', 'es', 'fr'] as const;
export type Language = (typeof languages)[number];

export const agentStates = ['offline', 'not_ready', 'ready', 'reserved', 'on_call', 'wrap_up'] as const;
export type AgentState = (typeof agentStates)[number];

/** The states an agent or a supervisor may ask for. */
export const requestableStates = ['ready', 'not_ready', 'offline'] as const;
export type RequestableState = (typeof requestableStates)[number];

/** What the gateway knows of a softphone's connection to it. */
export const connections = ['connected', 'reconnecting', 'lost'] as const;
export type Connection = (typeof connections)[number];

/** Not Ready reasons that agents of every company may give; companies add their own. */
export const standardNotReadyReasons = ['break', 'meal', 'meeting', 'training'] as const;

/** Not Ready reasons that only the gateway gives. */
export const systemReasons = [
  'login',
  'delivery_failed',
  'rejected',
  'no_answer',
  'connection_lost',
  'supervisor',
  'platform_offline',
] as const;

export const callStates = ['queued', 'dialing', 'ringing', 'connected', 'held', 'ended'] as const;
export type CallState = (typeof callStates)[number];

/** The call states a softphone may report. */
export const reportableCallStates = ['ringing', 'connected', 'held', 'ended'] as const;
export type ReportableCallState = (typeof reportableCallStates)[number];

/** For whom a message of a supervisor is. */
export const messageAudiences = ['agent', 'team', 'everybody'] as const;

export const directions = ['outbound', 'inbound'] as const;
export type Direction = (typeof directions)[number];

/** What made a call, and so its screen pop. `transfer`: a colleague hands it on, or asks about it. */
export const triggers = ['click_to_dial', 'inbound_ring', 'manual_dial', 'transfer'] as const;
export type Trigger = (typeof triggers)[number];

/**
 * How the screen pop writes a value; `auto`: what it is beyond doubt, such as an ISO date or a phone number in E.164,
 * as the reader is used to it.
 */
export const popFormats = [
  'auto',
  'text',
  'number',
  'money',
  'date',
  'date_time',
  'phone',
  'link',
  'email',
  'yes_no',
] as const;
export type PopFormat = (typeof popFormats)[number];

/** `transferred`: the agent handed an answered call on to somebody else. */
export const endReasons = [
  'completed',
  'transferred',
  'busy',
  'no_answer',
  'rejected',
  'canceled',
  'failed',
  'missed',
] as const;
export type EndReason = (typeof endReasons)[number];

/** Who ended a call. `system`: the gateway, because the softphone vanished or a supervisor freed the agent. */
export const endedByParties = ['agent', 'customer', 'system'] as const;
export type EndedBy = (typeof endedByParties)[number];

/**
 * What a softphone may tell of why a call ended, beside `end_reason`: of a number that could not be called,
 * what the telephone network said of it; of a call that broke, what was lost; of one that rang here, that
 * another telephone took it, or that the agent has passed it on to one (`transferred_to`).
 */
export const reportedEndDetails = [
  'not_in_service',
  'number_incomplete',
  'not_reachable',
  'not_allowed',
  'service_unavailable',
  'no_common_voice',
  'voice_lost',
  'answered_elsewhere',
  'passed_on',
] as const;
export type ReportedEndDetail = (typeof reportedEndDetails)[number];

/** The CRM systems that the interface names. A gateway may know others, too: its catalog tells. */
export const crmProviders = [
  { id: 'salesforce', name: 'Salesforce' },
  { id: 'hubspot', name: 'HubSpot' },
  { id: 'zendesk', name: 'Zendesk' },
  { id: 'freshdesk', name: 'Freshdesk' },
  { id: 'dynamics', name: 'Microsoft Dynamics 365' },
  { id: 'pipedrive', name: 'Pipedrive' },
  { id: 'zoho', name: 'Zoho CRM' },
  { id: 'intercom', name: 'Intercom' },
  { id: 'servicenow', name: 'ServiceNow' },
  { id: 'custom', name: 'Custom CRM' },
] as const;
/** The id of a CRM system in the gateway's catalog. */
export type CrmProvider = string;

/** Whom webhooks may name as the telephony platform. All that can be connected: platforms.ts. */
export const ctiConnectors = [
  { id: 'genesys', name: 'Genesys' },
  { id: 'avaya', name: 'Avaya' },
  { id: 'cisco', name: 'Cisco' },
  { id: 'five9', name: 'Five9' },
  { id: 'nice', name: 'NICE CXone' },
  { id: 'talkdesk', name: 'Talkdesk' },
  { id: 'none', name: 'The built-in softphone only' },
] as const;
export type CtiConnector = (typeof ctiConnectors)[number]['id'];

/** What fills a screen pop. Only modes that are built are listed. */
export const modes = [
  { id: 'push', name: 'What the CRM pushed' },
  { id: 'builtin', name: 'The built-in CRM' },
  { id: 'hybrid', name: 'What the CRM pushed, over the built-in CRM' },
  { id: 'pull', name: 'What the CRM pushed; where it pushed nothing, it is asked' },
] as const;
export type Mode = (typeof modes)[number]['id'];

/** Which contacts of the built-in CRM an agent sees: all of the company, or its own and those of nobody. */
export const contactScopes = ['company', 'own'] as const;
export type ContactScopeChoice = (typeof contactScopes)[number];

/** Whose a callback is that is set in wrap-up: of the agent who had the call, or of whoever takes it. */
export const callbackAssignees = ['agent', 'anyone'] as const;
export type CallbackAssignee = (typeof callbackAssignees)[number];

/** How a supervisor is in an agent's call: heard by nobody, by the agent, or by the customer, too. */
export const listeningModes = ['listen', 'whisper', 'barge'] as const;
export type ListeningMode = (typeof listeningModes)[number];

/** Whether supervisors may listen to calls, and whether the agent sees it. */
export const listeningRules = ['visible', 'hidden', 'off'] as const;
export type ListeningRule = (typeof listeningRules)[number];

/** What somebody is to do at a time. */
export const taskKinds = ['task', 'callback'] as const;
export type TaskKind = (typeof taskKinds)[number];
export const taskStates = ['open', 'done', 'canceled'] as const;
export type TaskState = (typeof taskStates)[number];

/** What a deal is, by the stage that it is in. */
export const dealStates = ['open', 'won', 'lost'] as const;
export type DealState = (typeof dealStates)[number];

export const webhookEvents = [
  'call_started',
  'call_answered',
  'call_transferred',
  'call_ended',
  'disposition',
  'cti_click_to_dial',
  'contact_changed',
  'deal_moved',
  'task_due',
  'report_ready',
  'integration_test',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** What the delivery log has: webhooks, and calls that are logged in the CRM. */
export const deliveryEvents = [...webhookEvents, 'call_log'] as const;
export type DeliveryEvent = (typeof deliveryEvents)[number];
/** Where deliveries go. */
export const deliveryTargets = ['webhook', 'crm'] as const;
export type DeliveryTarget = (typeof deliveryTargets)[number];

/** What each event tells, for a person. */
export const webhookEventNames = {
  call_started: 'An outbound dial starts, or an inbound call rings',
  call_answered: 'A call is answered',
  call_transferred: 'An agent hands a call on to somebody else',
  call_ended: 'A call ends, answered or not',
  disposition: 'Wrap-up is submitted',
  cti_click_to_dial: 'A CRM-initiated dial has started',
  contact_changed: 'A contact of the built-in CRM is made, changed, merged or erased',
  deal_moved: 'A deal is made, or moved to another stage',
  task_due: 'A task or callback falls due',
  report_ready: 'A report is sent, at its time or by hand',
  integration_test: 'An admin tests the webhook',
} as const satisfies Record<WebhookEvent, string>;

/** What a company's webhook gets unless it chooses: events that came later are sent to those alone who ask for them. */
export const defaultWebhookEvents = [
  'call_started',
  'call_answered',
  'disposition',
  'cti_click_to_dial',
  'integration_test',
] as const satisfies readonly WebhookEvent[];

export const deliveryStates = ['pending', 'delivered', 'dead'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** How a webhook endpoint does. `paused`: by the breaker, after too many failures in a row. */
export const endpointConditions = ['healthy', 'failing', 'paused', 'disabled'] as const;
export type EndpointCondition = (typeof endpointConditions)[number];

/** Why nothing is sent to an endpoint any more: it answered 410, it failed for too long, or an admin said so. */
export const disabledReasons = ['gone', 'failing', 'admin'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** Dispositions that a company starts with. That of `callback` asks for a time unless the company says otherwise. */
export const defaultDispositions = [
  { code: 'resolved', label: 'Resolved' },
  { code: 'follow_up', label: 'Follow-up needed' },
  { code: 'callback', label: 'Call back' },
  { code: 'voicemail', label: 'Voicemail' },
  { code: 'no_answer', label: 'No answer' },
  { code: 'wrong_number', label: 'Wrong number' },
  { code: 'not_interested', label: 'Not interested' },
  { code: 'other', label: 'Other' },
] as const;

/**
 * Why agents skip a call, for companies that have no reasons of their own; see SkipReason in src/contract/dialing.ts.
 */
export const defaultSkipReasons = [
  { code: 'not_now', label: 'Not now', again_minutes: 60 },
  { code: 'wrong_hour', label: 'Too early or too late there', again_minutes: 240 },
  { code: 'preparing', label: 'Something is missing first', again_minutes: 1_440 },
  { code: 'settled', label: 'Settled already', again_minutes: null },
  { code: 'wrong_number', label: 'The number is wrong', again_minutes: null },
] as const;

/** How the agents of a company telephone. */
export const telephonyModes = ['sip', 'desk_phone', 'none'] as const;
export type TelephonyMode = (typeof telephonyModes)[number];

/** The links that make an agent's own telephone dial. */
export const deskPhoneSchemes = ['tel', 'sip'] as const;

/** In which header of its INVITE the PBX is told the id of an outbound call, where no other one was chosen. */
export const usualCallIdHeader = 'X-Readyline-Call-Id';
/** In which header the PBX is told the number that the customer is to see (RFC 3325), where nothing else is set. */
export const usualCallerIdHeader = 'P-Preferred-Identity';

/** How the PBX is asked to hand a call on: by a REFER, or by tones in the call (a feature code). */
export const transferWays = ['refer', 'tones'] as const;
export type TransferWay = (typeof transferWays)[number];
/** What it is asked for, with `{number}` for whom; where nothing else is set. A comma waits two seconds. */
export const usualTransferCodes: Readonly<Record<TransferWay, string>> = { refer: '{number}', tones: '*2,{number}' };
