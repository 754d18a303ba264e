import type { RouteName } from './routeRequests.ts';

/** URLs with something in them that the URL parser drops or reads as something else. */
const notAsWritten = (url: string) => [`${url}\n`, ` ${url}`, `\t${url}`, url.replace('.example', '.exa\r\nmple'), `${url}/a\tb`, `${url}/a b`, url.replace('://', ':\\\\')];

/** What a field of a body takes, by kind, and what it must refuse. */
const kinds = {
  text: { good: 'some text', bad: [7, true, [], {}, null] },
  'text or null': { good: 'some text', bad: [7, true, [], {}] },
  'several lines': { good: 'one\ntwo', bad: [7, true, [], {}, null] },
  phone: { good: '+15551230009', bad: [15_551_230_009, true, [], {}, null, '', 'x'.repeat(65)] },
  uuid: { good: '0b5bd0a6-5b0c-4f0f-9f0e-0f6f7f1d2c3b', bad: [7, [], {}, null, '', '17', 'not-a-uuid'] },
  'uuid or null': { good: '0b5bd0a6-5b0c-4f0f-9f0e-0f6f7f1d2c3b', bad: [7, [], {}, '', '17', 'not-a-uuid'] },
  agents: { good: [], bad: [7, 'all', {}, null, ['nobody'], [7], Array(2_001).fill('0b5bd0a6-5b0c-4f0f-9f0e-0f6f7f1d2c3b')] },
  'led teams or null': { good: null, bad: [7, 'all', {}, [], ['nobody'], [7], Array(501).fill('0b5bd0a6-5b0c-4f0f-9f0e-0f6f7f1d2c3b')] },
  email: { good: 'somebody@example.com', bad: [7, [], {}, null, '', 'nobody', 'a@b', `${'a'.repeat(300)}@b.example`] },
  'email or null': { good: 'somebody@example.com', bad: [7, [], {}, '', 'nobody'] },
  time: { good: '2026-01-01T00:00:00.000Z', bad: [0, {}, null, '', 'yesterday', '2026-02-30T00:00:00Z', '2026-01-01'] },
  object: { good: {}, bad: ['text', 7, true, [], null] },
  integer: { good: 7, bad: ['7', 1.5, true, [], {}, null, 1e300, 2 ** 53] },
  seconds: { good: 30, bad: ['30', 1.5, {}, null, -1, 3601, 1e300] },
  'limit or null': { good: 60, bad: ['60', 0, 1.5, {}, -1, 86_401, 1e300] },
  'rule of digits': { good: 'international', bad: ['both', 1, null] },
  'file encoding': { good: 'utf-8', bad: ['utf-7', 1, null] },
  flag: { good: true, bad: ['true', 1, {}, null] },
  true: { good: true, bad: ['true', 1, {}, null, false] },
  password: { good: 'a-password', bad: [12_345_678, [], {}, null, 'short', 'x'.repeat(1025)] },
  'given password': { good: 'a-password', bad: [12_345_678, [], {}, null, '', 'x'.repeat(1025)] },
  name: { good: 'Somebody', bad: [7, [], {}, null, '', 'two\nlines', 'x'.repeat(201)] },
  code: { good: 'x100', bad: [7, [], {}, null, ''] },
  slug: { good: 'some-slug', bad: [7, [], {}, null, '', 'Capital', '-dash', 'a b'] },
  role: { good: 'agent', bad: [7, {}, null, '', 'root'] },
  state: { good: 'not_ready', bad: [7, {}, null, '', 'on_call', 'reserved', 'READY'] },
  reason: { good: 'break', bad: [7, {}, null, '', 'Not a code', 'fishing'] },
  disposition: { good: 'other', bad: [7, {}, null, '', 'Not a code', 'no_such_code'] },
  'record kind': { good: 'Contact', bad: [7, {}, null, '', 'x'.repeat(201)] },
  'record id': { good: '0035g00000AbCdEAAV', bad: [7, {}, null, '', 'x'.repeat(501)] },
  provider: { good: 'hubspot', bad: [7, {}, null, '', 'HubSpot', 'other'] },
  'provider or null': { good: 'hubspot', bad: [7, {}, '', 'HubSpot'] },
  connector: { good: 'avaya', bad: [7, {}, null, '', 'other'] },
  'connector or null': { good: 'avaya', bad: [7, {}, '', 'other'] },
  'mode or null': { good: 'push', bad: [7, {}, '', 'no_such_mode'] },
  'country or null': { good: 'DE', bad: [7, {}, '', 'de', 'DEU', 'XX'] },
  url: { good: 'https://example.com/hook', bad: [7, {}, null, '', 'example.com', 'ftp://example.com/', 'javascript:alert(1)', ...notAsWritten('https://crm.example.com')] },
  'url or null': { good: 'https://example.com/hook', bad: [7, {}, '', 'example.com', 'file:///etc/passwd', ...notAsWritten('https://crm.example.com')] },
  'rotate or null': { good: null, bad: [7, {}, '', true, 'whsec_chosen_by_me'] },
  'in flight or null': { good: 32, bad: ['4', 1.5, true, [], {}, 0, 33, -1, 1e300] },
  'events or null': { good: ['call_started'], bad: [7, 'call_started', {}, [7], ['no_such_event'], Array(51).fill('disposition')] },
  'origins or null': { good: ['https://desktop.example.com'], bad: [7, 'https://a.example', {}, [7], ['http://a.example'], ['https://a.example/path'], ["https://a.example; script-src *"], ['*'], Array(21).fill('https://a.example')] },
  'call name': { good: 'a8f1-42', bad: [7, true, [], {}, null, '', 'x'.repeat(201)] },
  any: { good: 'any', bad: [7, {}, null, '', 'all'] },
  'SIP user or null': { good: '1001', bad: [7, true, [], {}, '', 'a b', 'user@host', 'x'.repeat(65)] },
  'SIP secret or null': { good: 'a secret', bad: [7, true, [], {}, '', 'two\nlines', 'x'.repeat(201)] },
  'telephony mode': { good: 'desk_phone', bad: [7, {}, null, '', 'SIP', 'webrtc'] },
  'SIP URL or null': {
    good: 'wss://pbx.example.com/ws',
    bad: [7, {}, '', 'pbx', 'https://pbx.example.com', 'ws://pbx.example.com', 'wss://u:p@pbx.example.com', 'wss://pbx.example.com/#a', ...notAsWritten('wss://pbx.example.com')],
  },
  'domain or null': { good: 'pbx.example.com', bad: [7, {}, '', 'a b', '-pbx', 'sip:pbx.example.com', 'x'.repeat(254)] },
  'ICE servers': {
    good: [{ urls: ['stun:stun.example.com:3478'] }],
    bad: [
      ...[7, 'text', {}, null, ['stun:a'], [{ urls: [] }], [{ urls: 'stun:a' }], [{ urls: ['https://a'] }], [{ urls: ['stun:a b'] }]],
      // TURN wants both; browsers take no transport for STUN.
      ...[[{ urls: ['turn:a'] }], [{ urls: ['turn:a'], username: 'u' }], [{ urls: ['stun:a?transport=udp'] }]],
    ],
  },
  'seconds of ringing or null': { good: 30, bad: ['30', 1.5, {}, 4, 301, -1] },
  'language or null': { good: 'fr', bad: [7, {}, '', 'FR', 'fr-FR', 'pl'] },
  'scheme or null': { good: 'sip', bad: [7, {}, '', 'callto'] },
  'callback assignee': { good: 'anyone', bad: [7, {}, null, '', 'team'] },
  'listening rule': { good: 'hidden', bad: [7, {}, null, '', 'on'] },
  range: { good: 'last_week', bad: [7, {}, null, '', 'own', 'tomorrow'] },
  'report group': { good: 'hour', bad: [7, {}, null, '', 'weather'] },
  weekday: { good: 7, bad: [0, 8, 1.5, '1', {}, null] },
  'day of the month': { good: 31, bad: [0, 32, 1.5, '1', {}, null] },
  rhythm: { good: 'day', bad: [7, {}, null, '', 'hour'] },
  'time of day': { good: '07:00', bad: [7, {}, null, '', '7:00', '24:00', '07:60', '07:00:00', 'noon'] },
  'time zone': { good: 'Europe/Berlin', bad: [7, {}, null, '', 'Berlin', '+01:00', 'Mars/Base'] },
  'time or wall time': { good: '2026-11-30T09:30:00Z', bad: [7, {}, null, '', 'noon', '2026-11-30', '2026-02-30T09:30', '30.11.2026 09:30', '2026-11-30T09:30 Europe/Berlin'] },
  'deal value': { good: '12500.50', bad: [7, {}, '', '1,5', '1.2345', '12 EUR', '9'.repeat(16)] },
  'currency or null': { good: 'EUR', bad: [7, {}, '', 'eur', 'EURO', 'QQQ'] },
  'day or null': { good: '2026-12-18', bad: [7, {}, '', '2026-02-30', '18.12.2026', '2026-12-18T10:00:00Z'] },
  'stages': { good: [{ name: 'New' }], bad: [7, {}, 'New', [], [{}], [{ name: '' }], [{ name: 'Won', outcome: 'won' }], [{ name: 'New', outcome: 'gone' }], [{ name: 'New', probability: 101 }]] },
  'task kind': { good: 'task', bad: [7, {}, null, '', 'meeting'] },
  'task state': { good: 'done', bad: [7, {}, null, '', 'closed'] },
  'speed dials': { good: [{ name: 'Grace', phone_number: '+15551230001' }], bad: [7, 'all', {}, null, [{ name: 'Grace' }], [{ name: '', phone_number: '+15551230001' }], [{ name: 'Grace', phone_number: 7 }], Array(101).fill({ name: 'Grace', phone_number: '+15551230001' })] },
  'skip reasons': { good: [{ code: 'not_now', label: 'Not now', again_minutes: null }], bad: [7, 'all', {}, null, [], [{ code: 'not_now', label: 'Not now' }], [{ code: 'not_now', label: 'Not now', again_minutes: 0 }], [{ code: 'A', label: 'Not now', again_minutes: 5 }], Array(2).fill({ code: 'not_now', label: 'Not now', again_minutes: 5 })] },
  'skip reason': { good: 'not_now', bad: [7, {}, null, '', 'Not a code', 'no_such_code'] },
  'version from 0': { good: 0, bad: ['0', 1.5, {}, null, -1] },
  minutes: { good: 15, bad: ['15', 1.5, {}, null, 0, 10_081] },
  'contact scope': { good: 'own', bad: [7, {}, null, '', 'team'] },
  'name or null': { good: 'Somebody', bad: [7, [], {}, '', 'two\nlines', 'x'.repeat(201)] },
  'notes or null': { good: 'one\ntwo', bad: [7, [], {}, 'x'.repeat(10_001)] },
  message: { good: 'one\ntwo', bad: [7, [], {}, null, '', ' ', 'x'.repeat(1_001)] },
  recipient: { good: 'everybody', bad: [7, [], {}, null, '', 'nobody', { agent_id: '17' }, { team_code: 'sales' }, { agent_id: '0b5bd0a6-5b0c-4f0f-9f0e-0f6f7f1d2c3b', team_id: '0b5bd0a6-5b0c-4f0f-9f0e-0f6f7f1d2c3b' }] },
  'minutes of a message': { good: 60, bad: ['60', 1.5, {}, null, 4, 10_081] },
  note: { good: 'one\ntwo', bad: [7, [], {}, null, '', ' ', 'x'.repeat(10_001)] },
  'contact phones': {
    good: [],
    bad: [7, 'text', {}, null, ['+15551230009'], [{}], [{ phone_number: 7 }], [{ phone_number: '+15551230009', primary: 'yes' }], Array(21).fill({ phone_number: '+15551230009' })],
  },
  mapping: {
    good: [{ column: 0, field: 'name' }],
    bad: [7, 'text', {}, [{ field: 'name' }], [{ column: 0, field: 'colour' }], [{ column: -1, field: 'name' }], [{ column: 0, field: 'phone' }, { column: 0, field: 'name' }]],
  },
  'contact emails': { good: [], bad: [7, 'text', {}, null, ['a@b.example'], [{}], [{ email: 'nobody' }], Array(21).fill({ email: 'a@b.example' })] },
  'merged fields': { good: ['name'], bad: [7, 'text', {}, null, [7], ['phones'], Array(10).fill('name')] },
  'field keys': { good: ['plan'], bad: [7, 'text', {}, null, [7], ['Not a key']] },
  tags: { good: ['customer'], bad: [7, 'text', {}, null, [7], [''], ['two\nlines'], ['x'.repeat(61)], Array(51).fill('a')] },
  'call tags': { good: [], bad: [7, 'text', {}, null, [7], [''], ['two\nlines'], ['x'.repeat(61)], ['no_such_tag'], Array(21).fill('a')] },
  'language tag or null': { good: 'pt-BR', bad: [7, {}, '', 'german', 'de_DE', 'x'.repeat(36)] },
  'time zone or null': { good: 'Europe/Berlin', bad: [7, {}, '', 'Berlin', '+01:00', 'Mars/Base'] },
  'field values': { good: {}, bad: [7, 'text', [], null, { Plan: 'pro' }, { plan: true }, { plan: 'x'.repeat(2_001) }] },
  version: { good: 1, bad: ['1', 1.5, {}, null, 0, -1] },
  'layout version': { good: 0, bad: ['1', 1.5, {}, null, -1] },
  'pop fields': {
    good: [{ key: 'plan' }],
    bad: [
      ...[7, 'text', {}, null, ['plan'], [{}], [{ key: '' }], [{ key: 'two\nlines' }], [{ key: 'x'.repeat(201) }], [{ key: 'plan', colour: 'red' }]],
      ...[[{ key: 'plan', label: '' }], [{ key: 'plan', pinned: 'yes' }], [{ key: 'plan', hidden: 1 }], [{ key: 'plan', format: 'percent' }], [{ key: 'plan', object: '' }]],
      ...[[{ key: 'plan', currency: 'euro' }], [{ key: 'plan', currency_key: 7 }], [{ key: 'plan' }, { key: 'plan' }], Array.from({ length: 101 }, (_, index) => ({ key: `key_${index}` }))],
    ],
  },
  'field key': { good: 'plan', bad: ['notes', 'do_not_call', '2', '1_0', 7, {}, null, '', 'Plan', 'a b', 'x'.repeat(41)] },
  'field kind': { good: 'choice', bad: [7, {}, null, '', 'boolean'] },
  choices: { good: ['basic', 'pro'], bad: [7, 'text', {}, null, [], [7], [''], ['a', 'a'], Array(201).fill('a')] },
  position: { good: 3, bad: ['3', 1.5, {}, null, -1, 1_001] },
  codes: {
    good: [{ code: 'mine', label: 'Mine' }],
    bad: [7, 'text', {}, null, ['mine'], [{ code: 'mine' }], [{ code: 'Mine', label: 'Mine' }], [{ code: 'mine', label: '' }]],
  },
} as const satisfies Record<string, { good: unknown; bad: readonly unknown[] }>;

type Kind = keyof typeof kinds;
/** Fields by path, `data.name`; those that must be there end in `!`. */
type Fields = Record<string, Kind>;

/** Of a contact, beside its name. */
const contactFields = {
  organisation_id: 'uuid or null',
  owner_id: 'uuid or null',
  phones: 'contact phones',
  emails: 'contact emails',
  tags: 'tags',
  tier: 'name or null',
  language: 'language tag or null',
  time_zone: 'time zone or null',
  notes: 'notes or null',
  do_not_call: 'flag',
  external_id: 'name or null',
  fields: 'field values',
} as const satisfies Fields;

/** Every field of every JSON body. */
const bodies: Partial<Record<RouteName, Fields>> = {
  'POST /api/integrations/inbound': {
    'phone_number!': 'phone',
    'data!': 'object',
    'data.name': 'text',
    'data.email': 'text',
    'data.account_number': 'text',
    'data.open_tickets': 'integer',
    external_system: 'text',
    external_id: 'text',
    tier: 'text',
  },
  'POST /api/integrations/cti/click-to-dial': {
    'phone_number!': 'phone',
    agent_code: 'code',
    agent_id: 'uuid',
    team_code: 'code',
    contact_id: 'text',
    campaign_id: 'uuid',
    external_id: 'text',
    screen_pop: 'object',
    'screen_pop.name': 'text',
    'screen_pop.phone': 'text',
    'screen_pop.email': 'text',
    'screen_pop.vip_tier': 'text or null',
    'screen_pop.crm': 'object',
    'screen_pop.external_system': 'text',
    'screen_pop.external_id': 'text',
    metadata: 'object',
    fallback: 'any',
    override_do_not_call: 'flag',
  },
  'POST /api/integrations/connect': { crm_provider: 'provider', cti_connector: 'connector', webhook_url: 'url' },
  'PUT /api/integrations': {
    webhook_url: 'url or null',
    mode: 'mode or null',
    crm_provider: 'provider or null',
    cti_connector: 'connector or null',
    default_country: 'country or null',
    bare_digits: 'rule of digits',
    webhook_secret: 'rotate or null',
    webhook_enabled: 'flag',
    webhook_max_in_flight: 'in flight or null',
    webhook_events: 'events or null',
    pop_frame_ancestors: 'origins or null',
    rotate_api_key: 'true',
  },
  'POST /api/integrations/webhook-deliveries/recover': { 'since!': 'time' },
  'POST /api/calls/{id}/left': { 'session!': 'uuid' },
  'POST /api/calls/{id}/record': { 'object!': 'record kind', 'id!': 'record id' },
  'POST /api/calls/{id}/disposition': { 'code!': 'disposition', notes: 'several lines', tags: 'call tags', callback_at: 'time', callback_time_zone: 'time zone' },
  'POST /api/agents': {
    'agent_code!': 'code',
    'name!': 'name',
    'password!': 'password',
    email: 'email',
    role: 'role',
    led_team_ids: 'led teams or null',
    sip_user: 'SIP user or null',
    sip_secret: 'SIP secret or null',
  },
  'PATCH /api/agents/{id}': {
    agent_code: 'code',
    name: 'name',
    password: 'password',
    email: 'email or null',
    role: 'role',
    active: 'flag',
    led_team_ids: 'led teams or null',
    sip_user: 'SIP user or null',
    sip_secret: 'SIP secret or null',
  },
  'PUT /api/agents/{id}/state': { 'state!': 'state', reason: 'reason', force: 'flag', call_id: 'uuid or null' },
  'PUT /api/me/password': { 'current_password!': 'given password', 'new_password!': 'password' },
  'POST /api/auth/login': {
    'password!': 'given password',
    'agent_code!': 'code',
    email: 'email',
    company_slug: 'code',
  },
  'PUT /api/telephony': {
    mode: 'telephony mode',
    sip_wss_url: 'SIP URL or null',
    sip_domain: 'domain or null',
    ice_servers: 'ICE servers',
    no_answer_seconds: 'seconds of ringing or null',
    desk_phone_scheme: 'scheme or null',
  },
  'POST /api/crm/contacts': { 'name!': 'name', ...contactFields, shared: 'flag' },
  'POST /api/crm/contacts/{id}/merge': { 'contact_id!': 'uuid', 'version!': 'version', 'other_version!': 'version', take: 'merged fields', take_fields: 'field keys' },
  'POST /api/crm/contacts/{id}/erase': { 'version!': 'version' },
  'PATCH /api/crm/contacts/{id}': { name: 'name or null', ...contactFields, version: 'version' },
  'PUT /api/me/speed-dials': { 'entries!': 'speed dials', version: 'version from 0' },
  'PUT /api/me/missed-calls': { 'seen_until!': 'time' },
  'POST /api/do-not-dial': { 'number!': 'phone', note: 'name' },
  'POST /api/crm/tasks/{id}/skip': { 'reason!': 'skip reason', notes: 'several lines', version: 'version' },
  'POST /api/messages': { 'text!': 'message', 'to!': 'recipient', valid_minutes: 'minutes of a message' },
  'POST /api/teams': { 'code!': 'code', 'name!': 'name', agent_ids: 'agents' },
  'PATCH /api/teams/{id}': { code: 'code', name: 'name', agent_ids: 'agents', version: 'version' },
  'POST /api/reports/views': { 'name!': 'name', shared: 'flag', 'filter!': 'object', 'filter.range': 'range', 'filter.since': 'time', 'filter.until': 'time', 'filter.group_by': 'report group', 'filter.team_id': 'uuid' },
  'PATCH /api/reports/views/{id}': { name: 'name', shared: 'flag', filter: 'object', 'filter.range': 'range', version: 'version' },
  'PUT /api/reports/views/{id}/schedule': { 'every!': 'rhythm', weekday: 'weekday', month_day: 'day of the month', 'time!': 'time of day', 'time_zone!': 'time zone' },
  'POST /api/crm/pipelines': { 'name!': 'name', 'stages!': 'stages', position: 'position' },
  'PATCH /api/crm/pipelines/{id}': { name: 'name', stages: 'stages', position: 'position', version: 'version' },
  'POST /api/crm/deals': {
    'name!': 'name',
    stage_id: 'uuid',
    value: 'deal value',
    currency: 'currency or null',
    owner_id: 'uuid or null',
    contact_id: 'uuid or null',
    organisation_id: 'uuid or null',
    expected_close: 'day or null',
  },
  'PATCH /api/crm/deals/{id}': {
    name: 'name',
    stage_id: 'uuid',
    value: 'deal value',
    currency: 'currency or null',
    owner_id: 'uuid or null',
    contact_id: 'uuid or null',
    organisation_id: 'uuid or null',
    expected_close: 'day or null',
    version: 'version',
  },
  'POST /api/crm/tasks': {
    'title!': 'name',
    'due_at!': 'time or wall time',
    time_zone: 'time zone',
    kind: 'task kind',
    notes: 'several lines',
    contact_id: 'uuid',
    phone_number: 'phone',
    assignee_id: 'uuid or null',
  },
  'PATCH /api/crm/tasks/{id}': {
    title: 'name or null',
    notes: 'notes or null',
    due_at: 'time or wall time',
    time_zone: 'time zone',
    snooze_minutes: 'minutes',
    assignee_id: 'uuid or null',
    state: 'task state',
    version: 'version',
  },
  'PUT /api/integrations/pop-layout': { 'fields!': 'pop fields', version: 'layout version' },
  'POST /api/integrations/cti/pop-links': { 'phone!': 'phone', call_id: 'call name' },
  'POST /api/crm/activities': { 'contact_id!': 'uuid', 'text!': 'note' },
  'POST /api/crm/organisations': { 'name!': 'name', website: 'name or null', notes: 'notes or null' },
  'PATCH /api/crm/organisations/{id}': { name: 'name', website: 'name or null', notes: 'notes or null', version: 'version' },
  'PATCH /api/crm/imports/{id}': { mapping: 'mapping', has_header: 'flag', encoding: 'file encoding', default_country: 'country or null', version: 'version' },
  'POST /api/crm/imports/{id}/runs': { dry_run: 'flag' },
  'POST /api/crm/fields': { 'key!': 'field key', 'label!': 'name', 'kind!': 'field kind', 'choices!': 'choices', position: 'position', on_pop: 'flag' },
  'PATCH /api/crm/fields/{key}': { label: 'name', choices: 'choices', position: 'position', on_pop: 'flag', version: 'version' },
  'PATCH /api/company': {
    name: 'name',
    wrap_up_seconds: 'seconds',
    wrap_up_max_seconds: 'seconds',
    contact_scope: 'contact scope',
    callback_assignee: 'callback assignee',
    listening: 'listening rule',
    language: 'language or null',
    dispositions: 'codes',
    tags: 'codes',
    free_tags: 'flag',
    not_ready_reasons: 'codes',
    speed_dials: 'speed dials',
    preview_dial: 'flag',
    skip_reasons: 'skip reasons',
    wallboard_limits: 'object',
    'wallboard_limits.wrap_up_seconds': 'limit or null',
    'wallboard_limits.on_call_seconds': 'limit or null',
    'wallboard_limits.not_ready_seconds': 'limit or null',
    'wallboard_limits.nobody_ready_seconds': 'limit or null',
  },
  'POST /api/companies': {
    'name!': 'name',
    'slug!': 'slug',
    'admin!': 'object',
    'admin.email!': 'email',
    'admin.password!': 'password',
    'admin.name': 'name',
    'admin.agent_code': 'code',
  },
};

/** `nullIsAbsent`: null says the same as leaving it out. */
export type BodyField = { path: string; required: boolean; nullIsAbsent: boolean; good: unknown; bad: readonly unknown[] };
export type JsonObject = Record<string, unknown>;

/** Routes that take a JSON body, each with its fields. */
export const jsonBodies = (Object.entries(bodies) as [RouteName, Fields][]).map(([name, fields]) => ({
  name,
  fields: Object.entries(fields).map(([path, kind]): BodyField => {
    const required = path.endsWith('!');
    const { good, bad } = kinds[kind];
    const nullIsAbsent = !required && (bad as readonly unknown[]).includes(null);
    return { path: path.replace('!', ''), required, nullIsAbsent, good, bad: bad.filter((value) => required || value !== null) };
  }),
}));

/** The smallest body that fits: what is required, and what leads to the path. */
export function smallestBody(fields: readonly BodyField[], path = ''): JsonObject {
  const wanted = fields.filter((field) => field.required || `${path}.`.startsWith(`${field.path}.`));
  return wanted.reduce<JsonObject>((body, field) => withValue(body, field.path, field.good), {});
}

/** A copy with a value at a path, its objects made where they are missing. */
export function withValue(body: JsonObject, path: string, value: unknown): JsonObject {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...body, [first]: value };
  return { ...body, [first]: withValue((body[first] ?? {}) as JsonObject, rest.join('.'), value) };
}

/** A copy without what is at a path. */
export function withoutValue(body: JsonObject, path: string): JsonObject {
  const [first = '', ...rest] = path.split('.');
  const { [first]: inner, ...others } = body;
  return rest.length === 0 ? others : { ...others, [first]: withoutValue(inner as JsonObject, rest.join('.')) };
}
