import type { CallEvent, Connector, PlatformEvent } from './connector.ts';
import { type CallDetails, callEvent, readNormalForm } from './normalForm.ts';
import { agentOf, type Fields, readFields, textOf, timeOf, unreadable, within } from './reading.ts';

/**
 * Asterisk: events of channels as its REST interface (ARI) tells them. A call is a channel, and its agent is the channel's endpoint:
 * of `PJSIP/alice-0000002a` that is `alice`, whose name is `PJSIP/alice`. Trunks are endpoints too, whom nobody maps to an agent.
 */
export const asterisk: Connector = {
  id: 'asterisk',
  name: 'Asterisk',
  tellsStates: false,
  verify: null,
  read(delivery) {
    const fields = readFields(delivery);
    return readNormalForm(fields, []) ?? readAri(fields);
  },
};

function readAri(fields: Fields): PlatformEvent[] {
  const type = textOf(fields, 'type') ?? unreadable('type is missing.');
  const at = timeOf(fields, 'timestamp');
  switch (type) {
    case 'StasisStart':
    case 'ChannelCreated':
    case 'ChannelStateChange':
      return ofChannel(within(fields, 'channel'), at, readState);
    case 'ChannelHold':
      return ofChannel(within(fields, 'channel'), at, (_channel, told) => [{ ...told, event: 'held' }]);
    case 'ChannelUnhold':
      return ofChannel(within(fields, 'channel'), at, (_channel, told) => [{ ...told, event: 'resumed' }]);
    case 'ChannelDestroyed':
      return ofChannel(within(fields, 'channel'), at, (_channel, told) => [{ ...told, event: 'ended', cause: q850.get(textOf(fields, 'cause') ?? '') ?? null }]);
    case 'Dial':
      return ofChannel(within(fields, 'peer'), at, (_peer, told) => readDial(fields, told));
    default:
      return [];
  }
}

type Told = CallDetails & { event?: CallEvent['event'] };

function ofChannel(channel: Fields, at: number | null, read: (channel: Fields, told: Told) => Told[]): CallEvent[] {
  const callId = textOf(channel, 'id') ?? unreadable('The id of the channel is missing.');
  // Local channels and those of applications have no endpoint.
  const [, endpoint = null] = /^((?:PJSIP|SIP|IAX2)\/.+)-[0-9a-f]{8}$/i.exec(textOf(channel, 'name') ?? '') ?? [];
  if (endpoint === null) return [];
  return read(channel, { agent: agentOf(endpoint.slice(endpoint.indexOf('/') + 1), null, endpoint), at }).flatMap(({ event, ...told }) => (event === undefined ? [] : [callEvent(event, callId, told)]));
}

/** `Ringing`: the endpoint is called. `Ring`: it calls. Of a channel that is up it is not told any more which it was. */
function readState(channel: Fields, told: Told): Told[] {
  const other = textOf(within(channel, 'connected'), 'number');
  const dialed = textOf(within(channel, 'dialplan'), 'exten');
  switch (textOf(channel, 'state')) {
    case 'Ringing':
      return [{ ...told, event: 'ringing', direction: 'inbound', customer: other }];
    case 'Ring':
      return [{ ...told, event: 'ringing', direction: 'outbound', customer: dialed === 's' ? null : dialed }];
    case 'Up':
      return [{ ...told, event: 'answered', customer: other }];
    default:
      return [];
  }
}

/** What becomes of a channel that is dialed. */
function readDial(fields: Fields, told: Told): Told[] {
  const caller = within(fields, 'caller');
  const called = { ...told, direction: 'inbound' as const, customer: textOf(within(caller, 'caller'), 'number'), line: textOf(within(caller, 'dialplan'), 'exten') };
  const status = textOf(fields, 'dialstatus') ?? '';
  if (status === 'RINGING') return [{ ...called, event: 'ringing' }];
  if (status === 'ANSWER') return [{ ...called, event: 'answered' }];
  const cause = dialEnds.get(status);
  return cause === undefined ? [] : [{ ...called, event: 'ended', cause }];
}

const dialEnds = new Map<string, CallEvent['cause']>([
  ['BUSY', 'busy'],
  ['NOANSWER', 'no_answer'],
  ['CANCEL', 'canceled'],
  ['CONGESTION', 'failed'],
  ['CHANUNAVAIL', 'failed'],
]);

/** Causes of Q.850; 16, a normal end, says nothing of why. */
const q850 = new Map<string, CallEvent['cause']>([
  ['1', 'failed'],
  ['3', 'failed'],
  ['17', 'busy'],
  ['18', 'no_answer'],
  ['19', 'no_answer'],
  ['20', 'failed'],
  ['21', 'rejected'],
  ['26', 'answered_elsewhere'],
  ['27', 'failed'],
  ['34', 'failed'],
  ['38', 'failed'],
]);
