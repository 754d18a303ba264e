import { readFileSync } from 'node:fs';
import type { Connector, ConnectorId, PlatformDelivery, PlatformEvent } from '../../src/connectors/connector.ts';
import { connectors } from '../../src/connectors/registry.ts';
import { callOf, deliveryOf, formOf, receivedAt, xmlOf } from './deliveries.ts';

// Synthetic: written after the platforms' documented schemas, not captured from a tenant.

/** A whole call of each platform: what is delivered, and what is read of it. */
export type WholeCall = { connector: ConnectorId; form: string; told: [PlatformDelivery, PlatformEvent[]][] };

const at = receivedAt;
const iso = (seconds: number) => new Date(at + seconds * 1_000).toISOString();
const id = (name: string) => ({ id: name, email: null, name: null });

/** A file as it is, byte by byte. */
export function fixture(name: string): string {
  return readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');
}

const own = { callId: 'c-1', direction: 'inbound', customer: '+15550100', line: '+15550199', agent: { id: '7', email: 'a@acme.example', name: 'Anna' }, queue: 'sales' } as const;
const ownForm = { call_id: 'c-1', direction: 'inbound', customer_number: '+15550100', called_number: '+15550199', agent_id: '7', agent_email: 'a@acme.example', agent_name: 'Anna', queue: 'sales' };

/** The gateway's own form, which every connector takes. */
export const ownFormCall: [PlatformDelivery, PlatformEvent[]][] = [
  [deliveryOf({ ...ownForm, event: 'ringing', event_id: 'e1', at: iso(0) }), [callOf('ringing', { ...own, eventId: 'e1', at })]],
  [formOf({ ...ownForm, event: 'answered', at: String(at + 5_000) }), [callOf('answered', { ...own, at: at + 5_000 })]],
  [deliveryOf({ ...ownForm, event: 'held' }), [callOf('held', own)]],
  [deliveryOf({ ...ownForm, event: 'resumed' }), [callOf('resumed', own)]],
  [deliveryOf({ ...ownForm, event: 'transferred', transferred_to: '8' }), [callOf('transferred', { ...own, transferredTo: id('8') })]],
  [deliveryOf({ ...ownForm, event: 'ended', cause: 'busy' }), [callOf('ended', { ...own, cause: 'busy' })]],
  [deliveryOf({ ...ownForm, event: 'missed' }), [callOf('ended', { ...own, cause: 'no_answer' })]],
  [deliveryOf({ event: 'agent_state', agent_id: '7', state: 'not_ready', reason: 'lunch' }), [{ kind: 'agent_state', eventId: null, agent: id('7'), state: 'not_ready', reason: 'lunch', at: null }]],
  [deliveryOf({ event: 'wrap_up', agent_id: '7', call_id: 'c-1' }), [{ kind: 'agent_state', eventId: null, agent: id('7'), state: 'wrap_up', reason: null, at: null }]],
];

const webexTask = { taskId: 't-1', agentId: 'ag-1', queueId: 'q-1', channelType: 'telephony', direction: 'INBOUND', origin: '+15550100', destination: '+15550199', createdTime: at };
const webexCall = { callId: 't-1', direction: 'inbound', customer: '+15550100', line: '+15550199', agent: id('ag-1'), queue: 'q-1', at } as const;
const webexEvent = (type: string, data: object = webexTask) => deliveryOf({ id: `w-${type}`, specversion: '1.0', type, comciscotimestamp: String(at), data });

const genesysBridge = { conversation_id: 'g-1', user_id: 'u-1', direction: 'INBOUND', ani: 'tel:+15550100', dnis: 'tel:+15550199', event_time: String(at) };
const genesysCall = { callId: 'g-1', direction: 'inbound', customer: 'tel:+15550100', line: 'tel:+15550199', at } as const;

const notified = (participant: object) =>
  deliveryOf({
    topicName: 'v2.users.u-1.conversations.calls',
    version: '2',
    eventBody: {
      id: 'g-1',
      participants: [
        { id: 'p0', purpose: 'customer', address: 'tel:+15550100', direction: 'inbound', state: 'connected' },
        { id: 'p1', purpose: 'agent', user: { id: 'u-1', name: 'Anna' }, direction: 'inbound', queue: { id: 'q-1' }, ...participant },
      ],
    },
  });
const notifiedCall = { callId: 'g-1', direction: 'inbound', customer: 'tel:+15550100', agent: { id: 'u-1', email: null, name: 'Anna' }, queue: 'q-1' } as const;

const finesse = fixture('finesseDialog.xml');
const finesseCall = { callId: '16777230', direction: 'inbound', customer: '15550100', line: '6300', agent: id('1001') } as const;
const dialog = (state: string, event = 'PUT') => xmlOf(finesse.replaceAll('ALERTING', state).replace('<event>POST', `<event>${event}`));

const gadget = { dialog_id: '16777230', agent_id: '1001', from: '15550100', to: '6300' };

const five9 = { callId: '55', ani: '5550100', dnis: '5550199', callType: 'INBOUND', campaignName: 'Sales' };
const five9Call = { callId: '55', direction: 'inbound', customer: '5550100', line: '5550199', queue: 'Sales' } as const;

const contact = { Type: 'CallContactEvent', ContactID: '415389000001', DNIS: '5550199', ANI: '5550100', Skill: '4354630', IsInbound: 'True', StartTimeUTC: iso(0) };
const niceCall = { callId: '415389000001', direction: 'inbound', customer: '5550100', line: '5550199', agent: id('ag-9'), queue: '4354630' } as const;
const session = (...events: object[]) => deliveryOf({ sessionId: 'b2', agentId: 'ag-9', events });

const talkdesk = { account_id: 'acc', call_id: 'td-1', interaction_id: 'i-1', contact_phone_number: '+15550100', talkdesk_phone_number: '+15550199', agent_id: 'ag', agent_email: 'a@acme.example' };
const talkdeskCall = { callId: 'td-1', direction: 'inbound', customer: '+15550100', line: '+15550199', agent: { id: 'ag', email: 'a@acme.example', name: null } } as const;

const engagement = { engagementId: 'en-1', agentId: '4001@acme.example', direction: 'INBOUND', callingNumber: '+15550100', calledNumber: '+15550199', queueName: 'Sales' };
const avayaCall = { callId: 'en-1', direction: 'inbound', customer: '+15550100', line: '+15550199', agent: { id: '4001@acme.example', email: '4001@acme.example', name: null }, queue: 'Sales' } as const;

const channel = (state: string) => ({ id: '1760.1', name: 'PJSIP/alice-0000002a', state, caller: { name: '', number: '' }, connected: { name: '', number: '+15550100' }, dialplan: { context: 'in', exten: '201' } });
const ari = (type: string, more: object) => deliveryOf({ type, timestamp: '2025-10-09T08:53:20.000+0000', application: 'readyline', ...more });
const alice = { callId: '1760.1', agent: { id: 'alice', email: null, name: 'PJSIP/alice' }, at } as const;

export const wholeCalls: WholeCall[] = [
  {
    connector: 'webexcc',
    form: 'webhooks',
    told: [
      [webexEvent('task:new'), []],
      [webexEvent('task:connect'), [callOf('ringing', { ...webexCall, eventId: 'w-task:connect' })]],
      [webexEvent('task:connected'), [callOf('answered', { ...webexCall, eventId: 'w-task:connected' })]],
      [webexEvent('task:on-hold'), [callOf('held', { ...webexCall, eventId: 'w-task:on-hold' })]],
      [webexEvent('task:hold-done'), [callOf('resumed', { ...webexCall, eventId: 'w-task:hold-done' })]],
      [webexEvent('task:ended'), [callOf('ended', { ...webexCall, eventId: 'w-task:ended' })]],
      [webexEvent('task:failed'), [callOf('ended', { ...webexCall, eventId: 'w-task:failed', cause: 'failed' })]],
      [webexEvent('task:failed', { ...webexTask, reason: 'RONA_TIMER_EXPIRED' }), [callOf('ended', { ...webexCall, eventId: 'w-task:failed', cause: 'no_answer' })]],
      [webexEvent('task:connect', { ...webexTask, channelType: 'chat' }), []],
    ],
  },
  {
    connector: 'genesys',
    form: 'data action',
    told: [
      [deliveryOf({ ...genesysBridge, event: 'customer.start', user_id: '' }), []],
      [deliveryOf({ ...genesysBridge, event: 'user.start' }), [callOf('ringing', { ...genesysCall, agent: id('u-1') })]],
      [deliveryOf({ ...genesysBridge, event: 'user.end' }), [callOf('ended', { ...genesysCall, agent: id('u-1') })]],
      [deliveryOf({ ...genesysBridge, event: 'acw' }), [{ kind: 'agent_state', eventId: null, agent: id('u-1'), state: 'wrap_up', reason: null, at }]],
      [deliveryOf({ ...genesysBridge, event: 'customer.end', user_id: '' }), [callOf('ended', genesysCall)]],
    ],
  },
  {
    connector: 'genesys',
    form: 'notifications',
    told: [
      [notified({ state: 'alerting' }), [callOf('ringing', notifiedCall)]],
      [notified({ state: 'connected', held: false, connectedTime: iso(5) }), [callOf('answered', { ...notifiedCall, at: at + 5_000 }), callOf('resumed', notifiedCall)]],
      [notified({ state: 'connected', held: true, startHoldTime: iso(9) }), [callOf('held', { ...notifiedCall, at: at + 9_000 })]],
      [notified({ state: 'terminated', endTime: iso(20), disconnectType: 'client' }), [callOf('ended', { ...notifiedCall, at: at + 20_000 })]],
    ],
  },
  {
    connector: 'cisco',
    form: 'Finesse’s XML',
    told: [
      [xmlOf(finesse), [callOf('ringing', finesseCall)]],
      [dialog('ACTIVE'), [callOf('answered', finesseCall), callOf('resumed', finesseCall)]],
      [dialog('HELD'), [callOf('held', finesseCall)]],
      [dialog('DROPPED', 'DELETE'), [callOf('ended', finesseCall)]],
    ],
  },
  {
    connector: 'cisco',
    form: 'the gadget’s JSON',
    told: [
      [deliveryOf({ ...gadget, event: 'ringing', state: 'ALERTING' }), [callOf('ringing', finesseCall)]],
      [deliveryOf({ ...gadget, event: 'answered', state: 'ACTIVE', call_type: 'ACD_IN' }), [callOf('answered', finesseCall)]],
      [deliveryOf({ ...gadget, event: 'ended', state: 'DROPPED' }), [callOf('ended', { callId: '16777230', agent: id('1001') })]],
    ],
  },
  {
    connector: 'five9',
    form: 'the page’s JSON',
    told: [
      [deliveryOf({ event: 'ringing', call: five9 }), [callOf('ringing', five9Call)]],
      [deliveryOf({ event: 'answered', agent_id: 'f9', call: five9 }), [callOf('answered', { ...five9Call, agent: id('f9') })]],
      [deliveryOf({ event: 'ended', call: five9 }), [callOf('ended', five9Call)]],
      [deliveryOf({ event: 'disposed', call: five9 }), []],
      [deliveryOf({ event: 'rejected', call: five9 }), [callOf('ended', { ...five9Call, cause: 'rejected' })]],
      [formOf({ event: 'OnCallAccepted', call_id: '55', ani: '@Call.ANI@' }), [callOf('answered', { callId: '55' })]],
    ],
  },
  {
    connector: 'nice',
    form: 'session events',
    told: [
      [session({ ...contact, Status: 'Incoming' }), [callOf('ringing', { ...niceCall, at })]],
      [session({ ...contact, Status: 'Active' }), [callOf('answered', niceCall), callOf('resumed', niceCall)]],
      [session({ ...contact, Status: 'Holding' }, { Type: 'PageOpen' }), [callOf('held', niceCall)]],
      [session({ ...contact, Status: 'Disconnected' }), [callOf('ended', niceCall)]],
    ],
  },
  {
    connector: 'talkdesk',
    form: 'triggers',
    told: [
      [deliveryOf({ ...talkdesk, event: 'inboundCallReachesContactCenter', agent_id: '{{agent_id}}' }), []],
      [deliveryOf({ ...talkdesk, event: 'inboundCallStarts' }), [callOf('answered', talkdeskCall)]],
      [deliveryOf({ ...talkdesk, event: 'inboundCallEnds', timestamp: iso(30) }), [callOf('ended', { ...talkdeskCall, at: at + 30_000 })]],
      [deliveryOf({ ...talkdesk, event: 'outboundCallEnds' }), [callOf('ended', { ...talkdeskCall, direction: 'outbound' })]],
      [
        deliveryOf({ title: 'Root', type: 'object', properties: { event: { type: 'string', default: 'inboundCallStarts' }, call_id: { default: 'td-1' }, agent_id: { default: '{{agent_id}}' } } }),
        [callOf('answered', { callId: 'td-1', direction: 'inbound' })],
      ],
    ],
  },
  {
    connector: 'avaya',
    form: 'Experience Platform’s notifications',
    told: [
      [deliveryOf({ eventType: 'InboundEngagementCreated', data: engagement }), []],
      [deliveryOf({ eventType: 'AgentParticipantInvited', eventId: 'n1', eventDate: iso(0), data: engagement }), [callOf('ringing', { ...avayaCall, eventId: 'n1', at })]],
      [deliveryOf({ eventType: 'AgentParticipantAdded', payload: engagement }), [callOf('answered', avayaCall)]],
      [deliveryOf({ eventType: 'AgentParticipantRemoved', ...engagement }), [callOf('ended', avayaCall)]],
    ],
  },
  {
    connector: 'avaya',
    form: 'Infinity and Breeze',
    told: [
      [deliveryOf({ interactionId: 'in-1', status: 'alerting' }), [callOf('ringing', { callId: 'in-1' })]],
      [deliveryOf({ interactionId: 'in-1', status: 'connected' }), [callOf('answered', { callId: 'in-1' })]],
      [deliveryOf({ interactionId: 'in-1', status: 'held' }), [callOf('held', { callId: 'in-1' })]],
      [deliveryOf({ event: 'Interaction.Completed', payload: { interactionId: 'in-1', agentId: 'a' } }), [callOf('ended', { callId: 'in-1' })]],
      [deliveryOf({ family: 'Call', type: 'CALL_ALERTING', eventBody: { ucid: '00001000011760000000', user: '4001' } }), [callOf('ringing', { callId: '00001000011760000000', agent: id('4001') })]],
    ],
  },
  {
    connector: 'asterisk',
    form: 'ARI',
    told: [
      [ari('ChannelCreated', { channel: channel('Down') }), []],
      [ari('ChannelStateChange', { channel: channel('Ringing') }), [callOf('ringing', { ...alice, direction: 'inbound', customer: '+15550100' })]],
      [
        ari('Dial', { dialstatus: 'RINGING', caller: { ...channel('Ring'), caller: { number: '+15550100' } }, peer: channel('Ringing') }),
        [callOf('ringing', { ...alice, direction: 'inbound', customer: '+15550100', line: '201' })],
      ],
      [ari('ChannelStateChange', { channel: channel('Up') }), [callOf('answered', { ...alice, customer: '+15550100' })]],
      [ari('ChannelHold', { channel: channel('Up') }), [callOf('held', alice)]],
      [ari('ChannelUnhold', { channel: channel('Up') }), [callOf('resumed', alice)]],
      [ari('ChannelDestroyed', { channel: channel('Up'), cause: 16, cause_txt: 'Normal Clearing' }), [callOf('ended', alice)]],
      [ari('ChannelDestroyed', { channel: channel('Ringing'), cause: 26 }), [callOf('ended', { ...alice, cause: 'answered_elsewhere' })]],
      [ari('StasisStart', { channel: channel('Ring') }), [callOf('ringing', { ...alice, direction: 'outbound', customer: '201' })]],
      [ari('ChannelStateChange', { channel: { ...channel('Up'), name: 'Local/201@in-00000001;1' } }), []],
      [ari('BridgeCreated', { bridge: {} }), []],
    ],
  },
];

/** The connector of an id. */
export function connectorOf(id: ConnectorId): Connector {
  const connector = connectors.get(id);
  if (connector === undefined) throw new Error(`there is no connector ${id}`);
  return connector;
}
