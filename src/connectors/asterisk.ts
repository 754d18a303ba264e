import { asteriskAccount, isClicks, namesOf } from './accounts/asterisk.ts';
import type { CallEvent, Connector, PlatformEvent } from './connector.ts';
import { type CallDetails, callEvent, readNormalForm } from './normalForm.ts';
import { q850Causes } from './q850Causes.ts';
import { agentOf, type Fields, lookUp, readFields, textOf, timeOf, unreadable, within, wordOf } from './reading.ts';

/**
 * Asterisk: events of its REST interface (ARI) of channels; the agent is the endpoint of the channel, e.g.
 * `1001` of `PJSIP/1001-0000002a`. A trunk is an endpoint too: it is nobody's, or the account names it.
 */
export const asterisk: Connector = {
  id: 'asterisk',
  name: 'Asterisk',
  verify: null,
  states: {},
  account: asteriskAccount,
  strangers: ({ trunks }) => namesOf(trunks),
  read(delivery) {
    const fields = readFields(delivery);
    const normal = readNormalForm(fields, {});
    if (normal !== null) return normal;
    const type = textOf(fields, 'type') ?? unreadable('type is missing.');
    if (type === 'Dial') return readDial(fields);
    const leg = legOf(within(fields, 'channel'));
    return leg === null ? [] : readChannel(type, leg, fields);
  },
};

/** A channel of an endpoint. */
type Leg = { callId: string; endpoint: string; channel: Fields };

function legOf(channel: Fields): Leg | null {
  const callId = textOf(channel, 'id');
  const endpoint = /^(?:PJSIP|SIP|IAX2)\/(.+)-[0-9a-f]{8}$/i.exec(textOf(channel, 'name') ?? '')?.[1];
  return callId === null || endpoint === undefined ? null : { callId, endpoint, channel };
}

function readChannel(type: string, leg: Leg, told: Fields): PlatformEvent[] {
  const { callId, channel, endpoint } = leg;
  const common = { agent: agentOf(endpoint), at: timeOf(told, 'timestamp') };
  switch (type) {
    case 'ChannelCreated':
    case 'ChannelStateChange':
    case 'StasisStart':
      // The agent of a click is called first: that the agent is there says nothing of the customer.
      return isClicks(callId) ? [] : readState(wordOf(channel, 'state'), callId, channel, common);
    case 'ChannelHold':
      return [callEvent('held', callId, common)];
    case 'ChannelUnhold':
      return [callEvent('resumed', callId, common)];
    case 'ChannelDestroyed': {
      const cause = lookUp(q850Causes, textOf(told, 'cause')) ?? null;
      return [
        callEvent(
          'ended',
          callId,
          isClicks(callId)
            ? { ...common, direction: 'outbound', cause: causeOfClick(channel, cause) }
            : { ...common, cause },
        ),
      ];
    }
    default:
      return [];
  }
}

/** A click's channel that was never up is of an agent who did not answer: no customer was called. */
function causeOfClick(channel: Fields, cause: CallEvent['cause']): CallEvent['cause'] {
  const wasThere = wordOf(channel, 'state') === 'up';
  return wasThere || cause === 'failed' ? cause : 'canceled';
}

/** `Ringing`: the endpoint is called; `Ring`: it calls. Of a channel that is up it is not told any more who called. */
function readState(
  state: string | null,
  callId: string,
  channel: Fields,
  common: Pick<CallEvent, 'agent' | 'at'>,
): PlatformEvent[] {
  const caller = textOf(within(channel, 'connected'), 'number');
  switch (state) {
    case 'ringing':
      return [callEvent('ringing', callId, { ...common, direction: 'inbound', customer: caller })];
    case 'ring':
      return [callEvent('ringing', callId, { ...common, direction: 'outbound', customer: dialedBy(channel) })];
    case 'up':
      return [callEvent('answered', callId, { ...common, customer: caller })];
    default:
      return [];
  }
}

/** What an endpoint dialed; null: the dialplan is elsewhere by now, e.g. at `s` or `s-BUSY`. */
function dialedBy(channel: Fields): string | null {
  const exten = textOf(within(channel, 'dialplan'), 'exten');
  return exten === null || /^[a-z](?:-|$)/i.test(exten) ? null : exten;
}

/**
 * A dial tells of both its ends: who calls has a call out, and whom it calls a call in.
 * Which of them is an agent, Asterisk does not know.
 */
function readDial(told: Fields): PlatformEvent[] {
  const [caller, peer] = [legOf(within(told, 'caller')), legOf(within(told, 'peer'))];
  const [at, status] = [timeOf(told, 'timestamp'), textOf(told, 'dialstatus')];
  const number = textOf(within(within(told, 'caller'), 'caller'), 'number');
  const out = caller === null ? [] : readDialing(caller, status, at);
  // What a click's channel dials is the customer; a click's channel that is dialed is the agent of
  // whom nothing is told yet.
  const isOfClick = [caller, peer].some((leg) => leg !== null && isClicks(leg.callId));
  return isOfClick || peer === null ? out : [...out, ...readDialed(peer, status, { at, customer: number })];
}

/**
 * What becomes of the dial that a channel makes. Where it fails the dialplan may try another way: it
 * ends when the channel does.
 */
function readDialing({ callId, channel, endpoint }: Leg, status: string | null, at: number | null): PlatformEvent[] {
  // A click's channel shows the agent the customer.
  const shown = isClicks(callId) ? textOf(within(channel, 'connected'), 'number') : null;
  const details: CallDetails = {
    direction: 'outbound',
    customer: dialedBy(channel) ?? shown,
    agent: agentOf(endpoint),
    at,
  };
  if (status === 'RINGING') return [callEvent('ringing', callId, details)];
  if (status === 'ANSWER') return [callEvent('answered', callId, details)];
  const cause = lookUp(dialEnds, status);
  return cause === undefined ? [] : [callEvent('ringing', callId, { ...details, cause })];
}

/** What becomes of a channel that is dialed. */
function readDialed({ callId, endpoint }: Leg, status: string | null, told: CallDetails): PlatformEvent[] {
  const details: CallDetails = { ...told, direction: 'inbound', agent: agentOf(endpoint) };
  if (status === 'RINGING') return [callEvent('ringing', callId, details)];
  if (status === 'ANSWER') return [callEvent('answered', callId, details)];
  const cause = lookUp(dialEnds, status);
  return cause === undefined ? [] : [callEvent('ended', callId, { ...details, cause })];
}

const dialEnds: Readonly<Record<string, CallEvent['cause']>> = {
  BUSY: 'busy',
  NOANSWER: 'no_answer',
  CANCEL: 'canceled',
  CONGESTION: 'failed',
  CHANUNAVAIL: 'failed',
};
