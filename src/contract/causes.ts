import { z } from 'zod';

/**
 * What the gateway says to people, as codes: an English sentence comes with the code of what it says and the parameters
 * in it, so that a page can word it in its reader's language. Codes are stable; the sentences may be worded better at
 * any time, and stay English, for logs and integrators.
 * Each code with the names of its parameters.
 */

/** Of a request that any page may make. */
export const pageCauses = {
  // One field, in general
  required: [],
  invalid: [],
  wrong_type: ['expected'],
  too_short: ['min'],
  too_long: ['max'],
  too_small: ['min'],
  too_large: ['max'],
  too_few: ['min'],
  too_many: ['max'],
  unknown_choice: ['choices'],
  unknown_field: [],
  repeated: [],
  taken: [],
  reserved: [],
  not_unique: [],
  control_characters: [],
  json_too_large: ['bytes', 'max'],
  // One field, of a kind
  not_an_id: [],
  not_an_email: [],
  not_a_time: [],
  year_out_of_range: [],
  not_a_code: [],
  not_an_agent_code: [],
  not_a_slug: [],
  not_a_country: [],
  not_a_url: [],
  not_printable: [],
  only_with_not_ready: [],
  wrong_password: [],
  other_agent: [],
  ends_before_start: [],
  not_a_language: [],
  not_a_time_zone: [],
  // Contacts
  nobody: [],
  several_primary: [],
  phone_taken: ['contact_id'],
  external_id_taken: ['contact_id'],
  not_of_company: [],
  not_outgoing: [],
  not_of_field: ['kind'],
  changed_meanwhile: ['version'],
  // Tasks
  one_time_only: [],
  nobody_to_call: [],
  task_taken: ['name'],
  task_closed: [],
  // Imports
  not_a_number: [],
  contact_on_call: [],
  // Deals
  not_an_amount: [],
  not_a_currency: [],
  currency_needed: [],
  no_pipeline: [],
  not_a_day: [],
  deal_changed_meanwhile: ['version', 'pipeline_id', 'stage_id', 'stage'],
  // Messages
  not_a_recipient: [],
  no_readers: [],
  too_many_messages: ['max'],
  // Phone numbers
  phone_too_long: [],
  phone_not_international: [],
  phone_without_digits: [],
  phone_without_country_code: [],
  phone_with_other_characters: [],
  phone_not_of_country: ['country'],
  phone_several: [],
  phone_rounded: [],
  phone_withheld: [],
  phone_too_many_digits: [],
  phone_read_otherwise: ['phone', 'otherwise'],
  on_do_not_dial_list: [],
  // The whole request
  invalid_fields: [],
  unreadable: [],
  cannot_be_kept: [],
  wrong_host_name: [],
  unknown_reason: [],
  unknown_disposition: [],
  unknown_tag: [],
  callback_time_needed: [],
  agent_busy: [],
  platform_owned: ['name'],
  platform_refused: ['name', 'words'],
  platform_unavailable: ['name', 'words'],
  platform_outcome_unknown: ['name', 'words'],
  platform_refused_state: ['name', 'words'],
  platform_without_state: ['name', 'words'],
  agent_state: ['state'],
  call_state: ['state'],
  too_many_callers: ['max'],
  call_not_ended: [],
  transfer_under_way: [],
  transfer_to_oneself: [],
  no_extension: ['name'],
  wrapped_up_already: [],
  entered_later: [],
  nothing_to_choose: [],
  not_a_candidate: [],
  watches_only: [],
  no_carrier: [],
} as const satisfies Record<string, readonly string[]>;

/**
 * Of a request that the console alone makes, of a company's connection with its CRM or telephony platform and what
 * those tell, and of listening to a call: told in the console alone.
 */
export const consoleCauses = {
  // What a field of settings must be
  not_a_wss_url: [],
  not_wss: [],
  url_with_credentials: [],
  not_a_host: [],
  not_a_sip_call_id: [],
  not_an_x_header: [],
  not_a_header: [],
  not_an_extension: [],
  not_a_caller_id_header: [],
  not_a_transfer_code: [],
  not_an_ice_url: [],
  not_a_server: [],
  secret_beside_user: [],
  secret_without_turn: [],
  not_a_sip_user: [],
  not_a_vendor_host: ['endings'],
  sip_secret_without_user: [],
  // Reports
  range_or_times: [],
  not_a_time_of_day: [],
  too_many_views: ['max'],
  view_is_scheduled: [],
  view_is_not_shared: [],
  view_without_range: [],
  report_not_chosen: [],
  span_too_long: ['days'],
  // Fields of contacts
  choices_of_choice: [],
  no_letter: [],
  standard_field: [],
  too_many_fields: ['max'],
  // Imports
  not_a_contact_field: [],
  file_empty: [],
  file_too_large: ['max'],
  file_too_many_rows: ['max'],
  file_too_many_columns: ['max'],
  file_row_too_long: ['row', 'max'],
  file_quote_not_closed: ['row'],
  file_not_text: [],
  file_is_workbook: [],
  file_not_of_encoding: ['encoding'],
  too_many_imports: ['max'],
  import_state: ['state'],
  nothing_mapped: [],
  nothing_pushed: [],
  duplicate_of_row: ['row'],
  same_as_row: ['row'],
  number_shared: ['number'],
  address_of_row: ['row'],
  several_contacts: [],
  nothing_to_know_by: [],
  not_a_yes_or_no: [],
  not_of_encoding: [],
  was_erased: [],
  changed_since: [],
  // Pipelines, teams and agents
  no_open_stage: [],
  stage_has_deals: ['stage', 'count'],
  pipeline_has_deals: [],
  too_many_pipelines: ['max'],
  too_many_teams: ['max'],
  own_rights: [],
  // Webhook and CRM
  test_under_way: [],
  test_not_repeated: [],
  no_webhook_url: [],
  delivery_being_sent: [],
  endpoint_disabled: [],
  no_crm_connected: [],
  crm_credentials_unreadable: [],
  crm_does_not_answer: ['name', 'words'],
  // The gateway asks it nothing for a while
  crm_left_alone: ['name', 'seconds'],
  crm_told_to_wait: ['name', 'seconds'],
  crm_limit_kept: ['name', 'seconds', 'count', 'per_seconds'],
  refused_by_crm: ['name', 'words'],
  // Telephony platforms
  platform_without_account: ['name'],
  platform_account_not_set: ['name'],
  platform_account_of_agents: ['name'],
  platform_account_of_company: ['name'],
  platform_without_listening: ['name'],
  // The do-not-dial list
  not_a_beginning: [],
  too_many_numbers: ['max'],
  // A CRM's own notices
  signature_missing: [],
  signature_wrong: [],
  signature_stale: [],
  signing_secret_not_set: [],
  crm_does_not_sign: ['name'],
  // Logging in at a CRM
  crm_without_login: ['name'],
  crm_login_not_prepared: [],
  crm_login_denied: [],
  crm_login_not_begun_here: [],
  crm_login_used: [],
  crm_login_expired: [],
  crm_login_refused: [],
  crm_login_unanswered: [],
  no_public_url: [],
  // Listening to calls
  listens_to_too_many: ['max'],
  cannot_be_listened_to: [],
  listening_off: [],
  own_call: [],
  not_talking: [],
} as const satisfies Record<string, readonly string[]>;

/** Of a request: what is wrong with one of its fields, or why it is refused as a whole. */
export const requestCauses = { ...pageCauses, ...consoleCauses } as const;

/**
 * Of a delivery, a webhook or a call for the CRM: why it has not arrived, or why a URL is none that webhooks may go to.
 */
export const webhookCauses = {
  // The URL
  url_too_long: ['max'],
  url_invalid: [],
  url_needs_https: [],
  url_with_login: [],
  url_with_fragment: [],
  url_without_host: [],
  url_port_zero: [],
  url_incomplete_host: [],
  host_on_local_network: ['host'],
  host_not_public: ['host'],
  host_needs_https: ['host'],
  // Not sent
  not_sent_disabled: [],
  not_sent_disabled_by_admin: [],
  not_sent_gone: [],
  not_sent_failing: [],
  not_sent_url_cleared: [],
  not_sent_without_url: [],
  secret_unreadable: [],
  gateway_without_sockets: ['host', 'error'],
  // The connection
  dns_failed: ['host'],
  dns_timeout: ['host', 'seconds'],
  connect_timeout: ['host', 'port', 'seconds'],
  connect_refused: ['host', 'port'],
  connect_unreachable: ['host', 'port'],
  connect_not_accepted: ['host', 'port'],
  connect_closed: ['host', 'port'],
  connect_firewall: ['host', 'port'],
  connect_failed: ['host', 'port', 'error'],
  connection_broke: [],
  // TLS
  tls_timeout: ['host', 'port', 'seconds'],
  certificate_self_signed: ['host', 'error'],
  certificate_untrusted: ['host', 'error'],
  certificate_incomplete: ['host', 'error'],
  certificate_untrusted_or_incomplete: ['host', 'error'],
  certificate_expired: ['host', 'error'],
  certificate_not_yet_valid: ['host', 'error'],
  certificate_revoked: ['host', 'error'],
  certificate_of_other_host: ['host', 'error'],
  tls_closed: ['host', 'error'],
  tls_not_spoken: ['host', 'error'],
  tls_too_old: ['host', 'error'],
  tls_other_version: ['host', 'error'],
  tls_no_common_cipher: ['host', 'error'],
  tls_unknown_site: ['host', 'error'],
  tls_client_certificate: ['host', 'error'],
  tls_failed: ['host', 'error'],
  // The exchange
  answer_timeout: ['host', 'seconds'],
  stopped_by_gateway: [],
  closed_without_answer: ['host'],
  only_interim_answers: ['host'],
  switched_protocols: ['host'],
  headers_too_long: ['host'],
  not_http: ['host'],
  wrong_length: ['host'],
  exchange_failed: ['host', 'error'],
  // The answer
  answered_400: ['status'],
  answered_401: ['status'],
  answered_403: ['status'],
  answered_404: ['status'],
  answered_405: ['status'],
  answered_407: ['status'],
  answered_408: ['status'],
  answered_409: ['status'],
  answered_410: ['status'],
  answered_411: ['status'],
  answered_413: ['status'],
  answered_415: ['status'],
  answered_421: ['status'],
  answered_422: ['status'],
  answered_429: ['status'],
  answered_500: ['status'],
  answered_501: ['status'],
  answered_502: ['status'],
  answered_503: ['status'],
  answered_504: ['status'],
  answered_1xx: ['status'],
  answered_3xx: ['status'],
  answered_4xx: ['status'],
  answered_5xx: ['status'],
  answered_otherwise: ['status'],
  // Of a call that is logged in the CRM
  crm_unauthorized: ['name', 'words'],
  crm_forbidden: ['name', 'words'],
  crm_forbidden_permission: ['name', 'words', 'permission'],
  crm_rate_limited: ['name'],
  crm_refused: ['name', 'words'],
  crm_refused_field: ['name', 'words', 'field'],
  crm_not_found: ['name', 'words'],
  crm_unavailable: ['name', 'words'],
  crm_no_answer: ['name', 'words'],
  crm_looks_again: ['name'],
  crm_keeps_none: ['name'],
  crm_keeps_entries: ['name'],
  crm_disconnected: [],
  crm_call_gone: [],
} as const satisfies Record<string, readonly string[]>;

export type CauseParam = string | number | string[];

type CauseOf<T extends Record<string, readonly string[]>> = {
  [C in keyof T]: T[C] extends readonly []
    ? { code: C; params?: never }
    : { code: C; params: Record<T[C][number], CauseParam> };
}[keyof T];

/** Why a request, or a field of it, is refused. */
export type RequestCause = CauseOf<typeof requestCauses>;
/** Why a webhook does not arrive. */
export type WebhookCause = CauseOf<typeof webhookCauses>;
export type Cause = RequestCause | WebhookCause;

type Codes<T> = [keyof T & string, ...(keyof T & string)[]];
const codesOf = <T extends object>(causes: T) => Object.keys(causes) as Codes<T>;

const params = z
  .record(z.string(), z.union([z.string(), z.number(), z.array(z.string())]))
  .meta({ description: 'What the sentence is about, by name' });

/** The code and parameters of a field's `message`. New codes may come. */
export const fieldCause = {
  code: z
    .enum([...codesOf(requestCauses), ...codesOf(webhookCauses)])
    .meta({ description: 'What `message` says, stable' }),
  params: params.optional(),
};

/** Beside a refusal's `detail`. */
export const requestCause = z
  .object({ code: z.enum(codesOf(requestCauses)), params: params.optional() })
  .meta({ id: 'RequestCause' });

/** Beside what went wrong with a webhook. */
export const webhookCause = z
  .object({ code: z.enum(codesOf(webhookCauses)), params: params.optional() })
  .meta({ id: 'WebhookCause' });
