import { schemaFaults } from '../http/jsonSchema.ts';

/**
 * Events of Asterisk's REST interface, as its resource description lists them (`events.json` and `channels.json` of its
 * sources, all that it calls required; of the optional fields those that are used here).
 */

const text = { type: 'string' };
const closed = (properties: Record<string, object>, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});
const date = { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d{4}$` };
const callerId = closed({ name: text, number: text });
const channelSchema = closed({
  id: { ...text, minLength: 1 },
  protocol_id: text,
  name: { type: 'string', pattern: String.raw`^\w+/.+-[0-9a-f]{8}$` },
  state: {
    enum: [
      'Down',
      'Rsrved',
      'OffHook',
      'Dialing',
      'Ring',
      'Ringing',
      'Up',
      'Busy',
      'Dialing Offhook',
      'Pre-ring',
      'Unknown',
    ],
  },
  caller: callerId,
  connected: callerId,
  accountcode: text,
  dialplan: closed({ context: text, exten: text, priority: { type: 'integer' }, app_name: text, app_data: text }),
  creationtime: date,
  language: text,
});

const ofChannel = { channel: channelSchema };
const events: Readonly<Record<string, [properties: Record<string, object>, optional?: readonly string[]]>> = {
  ChannelCreated: [ofChannel],
  ChannelStateChange: [ofChannel],
  ChannelHold: [{ ...ofChannel, musicclass: text }, ['musicclass']],
  ChannelUnhold: [ofChannel],
  ChannelDestroyed: [{ ...ofChannel, cause: { type: 'integer' }, cause_txt: text }],
  Dial: [{ caller: channelSchema, peer: channelSchema, dialstring: text, dialstatus: text }, ['caller', 'dialstring']],
};

/** What of an event does not fit ARI's description; empty: nothing. */
export function faultsOfEvent(event: { type?: unknown }): string[] {
  const described = events[String(event.type)];
  if (described === undefined) return [`there is no event ${String(event.type)}`];
  const [properties, optional = []] = described;
  return schemaFaults(
    {},
    closed({ type: text, application: text, timestamp: date, ...properties }, ['timestamp', ...optional]),
    event,
  );
}

/** As Asterisk writes times. @param at milliseconds since the epoch */
export const ariTime = (at: number): string => new Date(at).toISOString().replace('Z', '+0000');

/** What is said of a channel. `number`: of who has it; `connected`: of the other side. */
export type Channel = {
  id: string;
  name: string;
  state: string;
  number?: string;
  connected?: string;
  context: string;
  exten: string;
  at: number;
};

/** A channel, whole. */
export function ariChannel({ id, name, state, number = '', connected = '', context, exten, at }: Channel): object {
  return {
    id,
    protocol_id: '',
    name,
    state,
    caller: { name: '', number },
    connected: { name: '', number: connected },
    accountcode: '',
    dialplan: { context, exten, priority: 1, app_name: '', app_data: '' },
    creationtime: ariTime(at),
    language: 'en',
  };
}
