import type { CallEvent, Connector, PlatformEvent } from './connector.ts';
import { asteriskAccount } from './accounts/asterisk.ts';
import { type CallDetails, callEvent, readNormalForm } from './normalForm.ts';
import { agentOf, type Fields, lookUp, readFields, textOf, timeOf, unreadable, within, wordOf } from './reading.ts';

/** Asterisk: events of its REST interface (ARI) of channels; the agent is the endpoint of the channel, e.g. `1001` of `PJSIP/1001-0000002a`. */
export const asterisk: Connector = {
  id: 'asterisk',
  name: 'Asterisk',
  verify: null,
  states: {},
  settable: null,
  account: asteriskAccount,
  read(delivery) {
    const fields = readFields(delivery);
    const normal = readNormalForm(fields, {});
    if (normal !== null) return normal;
    const type = textOf(fields, 'type') ?? unreadable('type is missing.');
    // Of a dial the channel that is dialed counts: it is the agent's.
    const channel = within(fields, type === 'Dial' ? 'peer' : 'channel');
    const callId = textOf(channel, 'id');
    const endpoint = /^(?:PJSIP|SIP|IAX2)\/(.+)-[0-9a-f]{8}$/i.exec(textOf(channel, 'name') ?? '')?.[1] ?? null;
    if (callId === null || endpoint === null) return [];
    return readChannel(type, { callId, channel, told: fields, endpoint });
  },
};

type Told = { callId: string; channel: Fields; told: Fields; endpoint: string };

function readChannel(type: string, { callId, channel, told, endpoint }: Told): PlatformEvent[] {
  const common = { agent: agentOf(endpoint), at: timeOf(told, 'timestamp') };
  switch (type) {
    case 'ChannelCreated':
    case 'ChannelStateChange':
    case 'StasisStart':
      return readState(wordOf(channel, 'state'), callId, channel, common);
    case 'ChannelHold':
      return [callEvent('held', callId, common)];
    case 'ChannelUnhold':
      return [callEvent('resumed', callId, common)];
    case 'Dial':
      return readDial(callId, told, common);
    case 'ChannelDestroyed':
      return [callEvent('ended', callId, { ...common, cause: lookUp(causes, textOf(told, 'cause')) ?? null })];
    default:
      return [];
  }
}

/** `Ringing`: the endpoint is called; `Ring`: it calls. Of a channel that is up it is not told any more who called. */
function readState(state: string | null, callId: string, channel: Fields, common: Pick<CallEvent, 'agent' | 'at'>): PlatformEvent[] {
  const caller = textOf(within(channel, 'connected'), 'number');
  const dialed = textOf(within(channel, 'dialplan'), 'exten');
  switch (state) {
    case 'ringing':
      return [callEvent('ringing', callId, { ...common, direction: 'inbound', customer: caller })];
    case 'ring':
      return [callEvent('ringing', callId, { ...common, direction: 'outbound', customer: dialed === 's' ? null : dialed })];
    case 'up':
      return [callEvent('answered', callId, { ...common, customer: caller })];
    default:
      return [];
  }
}

/** What becomes of a channel that is dialed. */
function readDial(callId: string, told: Fields, common: CallDetails): PlatformEvent[] {
  const details: CallDetails = { ...common, direction: 'inbound', customer: textOf(within(within(told, 'caller'), 'caller'), 'number') };
  const status = textOf(told, 'dialstatus');
  if (status === 'RINGING') return [callEvent('ringing', callId, details)];
  if (status === 'ANSWER') return [callEvent('answered', callId, details)];
  const cause = lookUp(dialEnds, status);
  return cause === undefined ? [] : [callEvent('ended', callId, { ...details, cause })];
}

const dialEnds: Readonly<Record<string, CallEvent['cause']>> = { BUSY: 'busy', NOANSWER: 'no_answer', CANCEL: 'canceled', CONGESTION: 'failed', CHANUNAVAIL: 'failed' };

/** Q.850, as `ChannelDestroyed` tells it. */
const causes: Readonly<Record<string, CallEvent['cause']>> = {
  '1': 'failed',
  '3': 'failed',
  '17': 'busy',
  '18': 'no_answer',
  '19': 'no_answer',
  '20': 'failed',
  '21': 'rejected',
  '26': 'answered_elsewhere',
  '27': 'failed',
  '34': 'failed',
  '38': 'failed',
};
