import {
  ada,
  answeredAt,
  callBackAt,
  callId,
  campaignId,
  clickedAt,
  deliveryId,
  endedAt,
  grace,
  phone,
  ringingAt,
  screenPop,
  wrappedUpAt,
} from './story.ts';

const push = {
  phone_number: '+1 555 123-0001',
  data: grace,
  external_system: 'my-crm',
  external_id: 'C-1001',
  tier: 'gold',
};

const { crm: _crm, ...flat } = screenPop;
const lookups = {
  found: { found: true, screen_pop: screenPop },
  shared: {
    found: true,
    screen_pop: {
      phone,
      candidates: [
        {
          object: 'builtin_contact',
          id: '01a1f7c2-6a10-7d20-8f61-5b1e2c3d4f55',
          name: grace.name,
          email: grace.email,
          account_number: null,
          vip_tier: 'gold',
          record_url: null,
        },
        {
          object: 'builtin_contact',
          id: '01a1f7c2-6a10-7d20-8f61-5b1e2c3d4f99',
          name: 'Vincent Hopper',
          email: null,
          account_number: null,
          vip_tier: null,
          record_url: null,
        },
      ],
    },
  },
  flat: { found: 'true', ...flat },
  flat_unknown: {
    found: 'false',
    name: '',
    email: '',
    vip_tier: '',
    external_system: '',
    external_id: '',
    phone: '+15559990000',
  },
};

const summary = {
  id: callId,
  agent_id: ada.id,
  direction: 'outbound',
  trigger: 'click_to_dial',
  state: 'ended',
  phone,
  caller: null,
  dialed_number: null,
  caller_id: '+4930123456',
  external_id: 'C-1001',
  contact_id: null,
  campaign_id: campaignId,
  customer_name: grace.name,
  external_system: 'my-crm',
  record_url: null,
  source: null,
  platform_call_id: null,
  queue: null,
  held_at: null,
  hold_seconds: 0,
  quality: { mos: 4.38, mos_median: 4.39, mos_worst: 4.21, rtt_ms: 42, jitter_ms: 3, loss_percent: 0 },
  tags: [{ code: 'price', label: 'Price' }],
  notes_draft: null,
  code_draft: null,
  callback_at_draft: null,
  draft_at: null,
  recording_url: null,
  do_not_call_override_by: null,
  created_at: clickedAt,
  ringing_at: ringingAt,
  answered_at: answeredAt,
  ended_at: endedAt,
  duration_seconds: 4,
  end_reason: 'completed',
  ended_by: 'agent',
  end_detail: null,
  transferred_to: null,
  parent_call_id: null,
  transferred_from: null,
  sip_code: 200,
  sip_call_id: 'a84b4c76e66710@pbx.example.com',
  disposition: {
    code: 'callback',
    label: 'Call back',
    notes: 'Wants the new price list.',
    callback_at: callBackAt,
    submitted_at: wrappedUpAt,
  },
};
const call = { ...summary, metadata: { campaign: 'spring' }, screen_pop: screenPop };

/** Customers, clicks and calls. */
export const callExamples = {
  lookUpCustomer: { answers: lookups },
  readScreenPop: { answers: lookups },
  pushCustomer: { body: push, answer: { ok: true, phone_number: phone } },
  pushCustomers: {
    body: push,
    answer: {
      accepted: 9999,
      refused: 1,
      errors: [{ line: 17, code: 'invalid_phone', message: 'The phone number cannot be read.' }],
      read_otherwise: [{ line: 40, phone_number: '+49442079460018', read_otherwise: '+442079460018' }],
    },
  },
  clickToDial: {
    body: {
      phone_number: phone,
      agent_code: ada.agent_code,
      external_id: 'C-1001',
      campaign_id: campaignId,
      metadata: { campaign: 'spring' },
      fallback: 'any',
    },
    answer: {
      call_id: callId,
      status: 'dialing',
      phone_number: phone,
      agent: ada,
      screen_pop: screenPop,
      created_at: clickedAt,
    },
  },
  listCalls: {
    answer: {
      calls: [summary],
      agents: [{ id: ada.id, name: ada.name, agent_code: ada.agent_code }],
      next_cursor: callId,
    },
  },
  readCall: { answer: call },
  changeCall: {
    body: { recording_url: 'https://pbx.example.com/recordings/4711.mp3' },
    answer: { ...call, recording_url: 'https://pbx.example.com/recordings/4711.mp3' },
  },
  changeCallBySipCallId: {
    body: { recording_url: 'https://pbx.example.com/recordings/4711.mp3' },
    answer: { ...call, recording_url: 'https://pbx.example.com/recordings/4711.mp3' },
  },
  saveCallNotes: {
    body: {
      notes: 'Asks for the new price list',
      tags: ['price'],
      code: 'callback',
      callback_at: '2026-11-23T10:00:00+01:00',
    },
  },
  leaveCall: { body: { session: '01a1f7c2-6a10-7d20-8f61-5b1e2c3d4f90' } },
  readConversation: {
    answer: {
      calls: [
        { ...summary, end_reason: 'transferred', transferred_to: '1002' },
        {
          ...summary,
          id: '01a1fd9b-3a11-7c02-9b1d-2f6e8a7c4d9a',
          agent_id: '01a1fd9b-3a11-7c02-9b1d-2f6e8a7c4d9b',
          direction: 'inbound',
          trigger: 'transfer',
          parent_call_id: summary.id,
          transferred_from: {
            agent_id: ada.id,
            agent_code: ada.agent_code,
            name: ada.name,
            extension: '1001',
            notes: 'Wants the new price list.',
          },
        },
      ],
      agents: [
        { id: ada.id, name: ada.name, agent_code: ada.agent_code },
        { id: '01a1fd9b-3a11-7c02-9b1d-2f6e8a7c4d9b', name: 'Ben Okafor', agent_code: 'a101' },
      ],
    },
  },
  listCallCorrections: {
    answer: {
      corrections: [
        {
          id: '01a1fd9b-3a11-7c02-9b1d-2f6e8a7c4d99',
          at: wrappedUpAt,
          by: { id: ada.id, name: ada.name },
          before: { code: 'no_answer', label: 'No answer', notes: null, tags: [] },
          after: {
            code: 'callback',
            label: 'Call back',
            notes: 'Wants the new price list.',
            tags: [{ code: 'price', label: 'Price' }],
          },
        },
      ],
    },
  },
  listCallSteps: {
    answer: {
      steps: [
        { step: 'dialed', at: clickedAt, by: null, person: null, seconds: 0 },
        { step: 'rang', at: ringingAt, by: null, person: null, seconds: 2 },
        { step: 'answered', at: answeredAt, by: 'customer', person: null, seconds: 4 },
        { step: 'ended', at: endedAt, by: 'agent', person: null, seconds: 2 },
        { step: 'wrapped_up', at: wrappedUpAt, by: null, person: null, seconds: null },
      ],
    },
  },
  listCallDeliveries: {
    answer: {
      deliveries: [
        {
          id: deliveryId,
          target: 'webhook',
          event: 'disposition',
          state: 'delivered',
          attempts: 1,
          next_attempt_at: null,
          last_status_code: 200,
          created_at: wrappedUpAt,
          finished_at: '2026-11-21T10:16:06.602Z',
        },
      ],
    },
  },
  submitDisposition: {
    body: {
      code: 'callback',
      notes: 'Wants the new price list.',
      tags: ['price'],
      callback_at: '2026-11-23T10:00:00+01:00',
    },
    answer: call,
  },
  chooseRecord: { body: { object: 'Contact', id: '0035g00000AbCdEAAV' }, answer: call },
};
