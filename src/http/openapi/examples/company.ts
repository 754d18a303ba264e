import { usualSettings } from '../../../contract/companySettings.ts';
import { socketPath, socketTransports } from '../../../contract/socket.ts';
import { interfaceVersion } from '../../route.ts';
import { admin, companyId } from './story.ts';

const company = {
  id: companyId,
  slug: 'acme',
  name: 'Acme Insurance',
  ...usualSettings,
  wrap_up_max_seconds: 300,
  language: 'en',
  tags: [
    { code: 'price', label: 'Price' },
    { code: 'complaint', label: 'Complaint' },
  ],
  not_ready_reasons: [{ code: 'coaching', label: 'Coaching' }],
  speed_dials: [{ name: 'Help desk', phone_number: '+15551239999' }],
  lines: [{ name: 'Sales Germany', phone_number: '+4930123456' }],
  outgoing_numbers: [{ name: 'Sales Germany', phone_number: '+4930123456', agent_ids: [], team_ids: [] }],
  contacts: true,
  wallboard_limits: { wrap_up_seconds: 300, on_call_seconds: null, not_ready_seconds: 3600, nobody_ready_seconds: 60 },
  created_at: '2026-11-02T08:12:09.330Z',
  updated_at: '2026-11-20T16:41:57.204Z',
};

const telephony = {
  mode: 'sip',
  sip_wss_url: 'wss://pbx.acme.example:7443/ws',
  sip_domain: 'pbx.acme.example',
  ice_servers: [
    { urls: ['stun:turn.acme.example:3478'], username: null, credential_set: false, secret_set: false },
    {
      urls: ['turn:turn.acme.example:3478?transport=udp'],
      username: null,
      credential_set: false,
      secret_set: true,
    },
  ],
  no_answer_seconds: 45,
  desk_phone_scheme: 'tel',
  call_id_header: 'X-Readyline-Call-Id',
  dialed_number_header: 'X-DID',
  queue_header: 'X-Queue',
  caller_id_header: 'P-Preferred-Identity',
  echo_number: '*43',
  transfer_by: 'refer',
  transfer_code: null,
  demo_carrier: false,
  updated_at: '2026-11-20T16:44:10.912Z',
};

/** Companies, how they telephone, and the gateway itself. */
export const companyExamples = {
  createCompany: {
    body: {
      name: 'Acme Insurance',
      slug: 'acme',
      admin: { email: 'it@acme.example', password: 'correct-horse-battery', name: 'Edith Clarke', agent_code: 'admin' },
    },
    answer: {
      company: { ...company, tags: [], not_ready_reasons: [], updated_at: company.created_at },
      admin: {
        ...admin,
        name: 'Edith Clarke',
        email: 'it@acme.example',
        role: 'admin',
        active: true,
        led_team_ids: null,
        sip_user: null,
        sip_secret_set: false,
        created_at: company.created_at,
        updated_at: company.created_at,
      },
    },
  },
  listCompanies: { answer: { companies: [company] } },
  readCompany: { answer: company },
  updateCompany: {
    body: {
      wrap_up_seconds: 30,
      wrap_up_max_seconds: 300,
      language: 'en',
      dispositions: [
        { code: 'sold', label: 'Sold' },
        { code: 'callback', label: 'Call back', requires_callback_at: true },
      ],
      tags: [
        { code: 'price', label: 'Price' },
        { code: 'complaint', label: 'Complaint' },
      ],
      not_ready_reasons: [{ code: 'coaching', label: 'Coaching' }],
    },
    answer: {
      ...company,
      dispositions: [
        { code: 'sold', label: 'Sold', requires_callback_at: false },
        { code: 'callback', label: 'Call back', requires_callback_at: true },
      ],
    },
  },
  readTelephony: { answer: telephony },
  updateTelephony: {
    body: {
      mode: 'sip',
      sip_wss_url: telephony.sip_wss_url,
      sip_domain: telephony.sip_domain,
      ice_servers: [
        { urls: ['stun:turn.acme.example:3478'] },
        { urls: ['turn:turn.acme.example:3478?transport=udp'], secret: 'nR4q-Tz8w-Vb3k' },
      ],
      no_answer_seconds: 45,
    },
    answer: telephony,
  },
  readHealth: {
    answer: {
      status: 'ok',
      version: '0.2.0',
      mode: 'scaled',
      checks: { database: 'ok', presence: 'ok', webhooks: 'ok' },
    },
  },
  readLiveness: { answer: { status: 'ok' } },
  readPlatform: {
    answer: {
      name: 'Readyline',
      version: '0.2.0',
      interface_version: interfaceVersion,
      socket: { path: socketPath, protocol: 'socket.io', version: 5, transports: socketTransports },
      login: {
        endpoint: '/api/auth/login',
        identifiers: ['agent_code', 'email'],
        company_slug: 'needed where the credentials fit more than one company',
      },
      embed_origins: ['https://crm.acme.example'],
      demo: false,
      documentation: 'https://readyline.acme.example/docs',
      openapi: 'https://readyline.acme.example/openapi.json',
    },
  },
};
