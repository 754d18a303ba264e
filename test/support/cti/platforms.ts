import { createHmac } from 'node:crypto';
import { ariChannel, ariTime } from './ariEvents.ts';

/**
 * What each telephony platform sends for one call of one agent, made by hand from its published schema (synthetic: none
 * was recorded at a vendor). Independent of the product's own code: the signatures are computed here.
 */

/** What a request to a company's address carries. */
export type Sent = { headers: Record<string, string>; body: string };

/** Of whom and what is told. `at`: milliseconds since the epoch. */
export type About = {
  callId: string;
  agent: string;
  customer: string;
  at: number;
  /** The agent called the customer; else the other way round. */ isOutbound?: boolean;
};

export type PlatformSends = {
  connector: string;
  /** Whether each request is proven by a secret that was issued with the address. */
  signs: boolean;
  /** Null: the platform has no such event. */
  ringing: ((about: About) => Sent) | null;
  answered: (about: About) => Sent;
  held: ((about: About) => Sent) | null;
  ended: (about: About) => Sent;
  /** An agent is free for calls, or is not; null: the platform does not tell. */
  ready: ((about: About) => Sent) | null;
  notReady: ((about: About) => Sent) | null;
  /** Adds the proof. @param now milliseconds since the epoch */
  sign: (sent: Sent, secret: string) => Sent;
  /** As it writes a number in E.164. */
  number: (e164: string) => string;
};

const json = (body: object): Sent => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const form = (fields: Record<string, string>): Sent => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});
const unsigned = (sent: Sent) => sent;
const asIs = (e164: string) => e164;
const iso = (at: number) => new Date(at).toISOString();

/** An agent who calls is connected, while it rings at the customer's. */
const genesysCall = (
  { agent, callId, customer, at, isOutbound = false }: About,
  state: string,
  more: object = {},
): Sent => {
  const direction = isOutbound ? 'outbound' : 'inbound';
  const connected = state === 'connected' ? { connectedTime: iso(at) } : {};
  return json({
    topicName: `v2.users.${agent}.conversations.calls`,
    eventBody: {
      id: callId,
      participants: [
        {
          id: 'p1',
          purpose: 'customer',
          address: customer,
          direction,
          ...(isOutbound ? { state, ...connected } : { state: 'connected', connectedTime: iso(at) }),
        },
        {
          id: 'p2',
          purpose: 'agent',
          user: { id: agent },
          direction,
          state: isOutbound && state === 'dialing' ? 'connected' : state,
          startTime: iso(at),
          connectedTime: iso(at),
          endTime: iso(at),
          queue: { id: 'q1', name: 'Support' },
          ...more,
        },
      ],
    },
  });
};
const genesysActivity = ({ agent, at }: About, systemPresence: string, status: string): Sent =>
  json({
    topicName: `v2.users.${agent}.activity`,
    eventBody: {
      id: agent,
      presence: { presenceDefinition: { systemPresence }, modifiedDate: iso(at) },
      routingStatus: { status, startTime: iso(at) },
    },
  });

const webexTask = ({ agent, callId, customer, at, isOutbound = false }: About, type: string): Sent =>
  json({
    id: `${callId} ${type} ${at}`,
    specversion: '1.0',
    type,
    source: '/com/cisco/wxcc/subscription',
    comciscoorgid: 'org',
    comciscotimestamp: String(at),
    datacontenttype: 'application/json',
    data: {
      taskId: callId,
      agentId: agent,
      queueId: 'q1',
      channelType: 'telephony',
      direction: isOutbound ? 'OUTBOUND' : 'INBOUND',
      origin: isOutbound ? '+15550199' : customer,
      destination: isOutbound ? customer : '+15550199',
      createdTime: at,
    },
  });
const webexAgent = ({ agent, at }: About, currentState: string): Sent =>
  json({
    id: `${agent} ${currentState} ${at}`,
    specversion: '1.0',
    type: 'agent:channel_state_change',
    comciscotimestamp: String(at),
    data: { agentId: agent, channelType: 'telephony', currentState, createdTime: at },
  });

const finesse = (xml: string): Sent => ({ headers: { 'content-type': 'application/xml' }, body: xml });
const inXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const finesseDialog = ({ agent, callId, customer, isOutbound = false }: About, event: string, state: string): Sent => {
  // Of a call of the agent's the dialplan's form of the number is told.
  const [from, to, type] = isOutbound
    ? ['1001001', `9${customer.replace('+', '')}`, 'OUT']
    : [customer, '6300', 'ACD_IN'];
  return finesse(
    `<Update><event>${event}</event><requestId></requestId><source>/finesse/api/User/${agent}/Dialogs</source>` +
      `<data><dialogs><Dialog><fromAddress>${inXml(from)}</fromAddress><id>${callId}</id><mediaProperties>` +
      `<callType>${type}</callType><queueName>Support</queueName></mediaProperties><mediaType>Voice</mediaType>` +
      '<participants><Participant><mediaAddress>1001001</mediaAddress>' +
      `<mediaAddressType>AGENT_DEVICE</mediaAddressType><state>${state}</state></Participant></participants>` +
      `<state>${state}</state><toAddress>${inXml(to)}</toAddress></Dialog></dialogs></data></Update>`,
  );
};
const finesseUser = ({ agent, at }: About, state: string): Sent =>
  finesse(
    `<Update><event>PUT</event><source>/finesse/api/User/${agent}</source><data><user><loginId>${agent}</loginId>` +
      `<firstName>Ada</firstName><lastName>Byron</lastName><state>${state}</state>` +
      `<stateChangeTime>${iso(at)}</stateChangeTime></user></data></Update>`,
  );

const ownForm = ({ agent, callId, customer, at, isOutbound = false }: About, event: string) => ({
  event,
  call_id: callId,
  agent_id: agent,
  customer_number: customer,
  direction: isOutbound ? 'outbound' : 'inbound',
  queue: 'Support',
  at: iso(at),
});
const ownState = ({ agent, at }: About, state: string) => ({
  event: 'agent_state',
  agent_id: agent,
  state,
  at: iso(at),
});

/** When the contact began, which all that is told of it has. */
const niceStart = iso(Date.now());
const niceCall = ({ agent, callId, customer, at, isOutbound = false }: About, Status: string): Sent =>
  json({
    sessionId: 's',
    agentId: agent,
    events: [
      {
        Type: 'CallContactEvent',
        ContactID: callId,
        Status,
        CallType: 'Regular',
        DNIS: isOutbound ? customer : '5550199',
        ANI: isOutbound ? '5550199' : customer,
        Skill: '4354630',
        IsInbound: isOutbound ? 'False' : 'True',
        StartTimeUTC: niceStart,
        LastStateChangeTimeUTC: iso(at),
      },
    ],
  });
const niceState = ({ agent, at }: About, CurrentState: string): Sent =>
  json({
    sessionId: 's',
    agentId: agent,
    events: [{ Type: 'AgentState', CurrentState, CurrentOutReason: '', IsAcw: 'False', StartTimeUTC: iso(at) }],
  });

const talkdeskCall = ({ agent, callId, customer, at }: About, event: string, more: object = {}): Sent =>
  json({
    event,
    account_id: 'a',
    call_id: callId,
    contact_phone_number: customer,
    talkdesk_phone_number: '+15550199',
    agent_id: agent,
    timestamp: iso(at),
    ...more,
  });

const avayaCall = ({ agent, callId, customer, at }: About, eventType: string): Sent =>
  json({
    eventType,
    eventId: `${callId} ${eventType} ${at}`,
    eventTime: iso(at),
    data: { engagementId: callId, agentId: agent, ani: customer, direction: 'INBOUND' },
  });
const avayaAgent = ({ agent, at }: About, eventType: string): Sent =>
  json({ eventType, eventTime: iso(at), data: { agentId: agent } });

/** A click's channel is the agent's, and what it dials is the customer. */
const ariDial = ({ agent, callId, customer, at }: About, dialstatus: string): Sent =>
  json({
    type: 'Dial',
    timestamp: ariTime(at),
    application: 'readyline',
    caller: ariChannel({
      id: callId,
      name: `PJSIP/${agent}-0000002a`,
      state: 'Up',
      number: customer,
      connected: customer,
      context: 'from-internal',
      exten: customer,
      at,
    }),
    peer: ariChannel({
      id: `${callId} out`,
      name: 'PJSIP/provider-0000002b',
      state: 'Ringing',
      context: 'from-provider',
      exten: '',
      at,
    }),
    dialstatus,
  });
const ari = ({ agent, callId, customer, at }: About, type: string, state: string, more: object = {}): Sent =>
  json({
    type,
    timestamp: ariTime(at),
    application: 'readyline',
    channel: ariChannel({
      id: callId,
      name: `PJSIP/${agent}-0000002a`,
      state,
      number: agent,
      connected: customer,
      context: 'in',
      exten: agent,
      at,
    }),
    ...more,
  });

const zammad = ({ agent, callId, customer }: About, event: string, more: Record<string, string> = {}): Sent =>
  form({ event, callId, direction: 'in', from: customer, to: '+15550199', 'user[]': agent, ...more });

export const platforms: readonly PlatformSends[] = [
  {
    connector: 'genesys',
    signs: false,
    ringing: (about) => genesysCall(about, about.isOutbound === true ? 'dialing' : 'alerting'),
    answered: (about) => genesysCall(about, 'connected'),
    held: (about) => genesysCall(about, 'connected', { held: true }),
    ended: (about) => genesysCall(about, 'disconnected'),
    ready: (about) => genesysActivity(about, 'ON_QUEUE', 'IDLE'),
    notReady: (about) => genesysActivity(about, 'AVAILABLE', 'OFF_QUEUE'),
    sign: unsigned,
    number: (e164) => `tel:${e164}`,
  },
  {
    connector: 'webexcc',
    signs: true,
    ringing: (about) => webexTask(about, 'task:connect'),
    answered: (about) => webexTask(about, 'task:connected'),
    held: (about) => webexTask(about, 'task:on-hold'),
    ended: (about) => webexTask(about, 'task:ended'),
    ready: (about) => webexAgent(about, 'available'),
    notReady: (about) => webexAgent(about, 'idle'),
    sign: ({ headers, body }, secret) => ({
      body,
      headers: {
        ...headers,
        'x-webexcc-signature': createHmac('sha256', secret).update(body).digest('hex'),
        'x-webexcc-timestamp': (JSON.parse(body) as { comciscotimestamp: string }).comciscotimestamp,
      },
    }),
    number: asIs,
  },
  {
    connector: 'cisco',
    signs: false,
    ringing: (about) => finesseDialog(about, 'POST', 'ALERTING'),
    answered: (about) => finesseDialog(about, 'PUT', 'ACTIVE'),
    held: (about) => finesseDialog(about, 'PUT', 'HELD'),
    ended: (about) => finesseDialog(about, 'DELETE', 'DROPPED'),
    ready: (about) => finesseUser(about, 'READY'),
    notReady: (about) => finesseUser(about, 'NOT_READY'),
    sign: unsigned,
    number: (e164) => e164,
  },
  {
    connector: 'five9',
    signs: false,
    ringing: (about) => form(ownForm(about, 'ringing')),
    answered: (about) => form(ownForm(about, 'answered')),
    held: (about) => json(ownForm(about, 'held')),
    ended: (about) => json(ownForm(about, 'ended')),
    ready: (about) => json(ownState(about, 'READY')),
    notReady: (about) => json(ownState(about, 'NOT_READY')),
    sign: unsigned,
    number: asIs,
  },
  {
    connector: 'nice',
    signs: false,
    ringing: (about) => niceCall(about, 'Incoming'),
    answered: (about) => niceCall(about, 'Active'),
    held: (about) => niceCall(about, 'Holding'),
    ended: (about) => niceCall(about, 'Disconnected'),
    ready: (about) => niceState(about, 'Available'),
    notReady: (about) => niceState(about, 'Unavailable'),
    sign: unsigned,
    number: asIs,
  },
  {
    connector: 'talkdesk',
    signs: false,
    ringing: null,
    answered: (about) => talkdeskCall(about, 'inboundCallStarts'),
    held: null,
    ended: (about) => talkdeskCall(about, 'inboundCallEnds', { duration: '12' }),
    ready: null,
    notReady: null,
    sign: unsigned,
    number: asIs,
  },
  {
    connector: 'avaya',
    signs: true,
    ringing: (about) => avayaCall(about, 'AgentParticipantInvited'),
    answered: (about) => avayaCall(about, 'AgentParticipantAdded'),
    held: null,
    ended: (about) => avayaCall(about, 'AgentParticipantRemoved'),
    ready: (about) => avayaAgent(about, 'AgentReady'),
    notReady: (about) => avayaAgent(about, 'AgentNotReady'),
    sign: ({ headers, body }, secret) => ({ body, headers: { ...headers, 'auth-token': secret } }),
    number: asIs,
  },
  {
    // Its subscription has no event of an answer: whoever tells of one uses the gateway's form.
    connector: 'breeze',
    signs: false,
    ringing: (about) => avayaCall(about, 'CALL_ALERTING'),
    answered: (about) => json(ownForm(about, 'answered')),
    held: null,
    ended: (about) => avayaCall(about, 'PARTICIPANT_DROPPED'),
    ready: null,
    notReady: null,
    sign: unsigned,
    number: asIs,
  },
  {
    connector: 'asterisk',
    signs: false,
    ringing: (about) => ari(about, 'ChannelStateChange', 'Ringing'),
    answered: (about) =>
      about.isOutbound === true ? ariDial(about, 'ANSWER') : ari(about, 'ChannelStateChange', 'Up'),
    held: (about) => ari(about, 'ChannelHold', 'Up'),
    ended: (about) => ari(about, 'ChannelDestroyed', 'Up', { cause: 16, cause_txt: 'Normal Clearing' }),
    ready: null,
    notReady: null,
    sign: unsigned,
    number: asIs,
  },
  {
    connector: 'push',
    signs: false,
    ringing: (about) => zammad(about, 'newCall'),
    answered: (about) => zammad(about, 'answer', { answeringNumber: about.agent }),
    held: null,
    ended: (about) => zammad(about, 'hangup', { cause: 'normalClearing' }),
    ready: null,
    notReady: null,
    sign: unsigned,
    number: asIs,
  },
];
