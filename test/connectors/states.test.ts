import { expect, it } from 'vitest';
import { connectorOf, deliveryOf } from './deliveries.ts';

/**
 * What the platforms call the states of their agents, and what that is here: from their documentation,
 * apart from the tables in use.
 */
const documented: [string, Record<string, string>][] = [
  [
    'genesys',
    {
      Offline: 'offline',
      AVAILABLE: 'not_ready',
      BUSY: 'not_ready',
      MEAL: 'not_ready',
      OFF_QUEUE: 'not_ready',
      NOT_RESPONDING: 'not_ready',
      INTERACTING: 'on_call',
      COMMUNICATING: 'on_call',
    },
  ],
  [
    'cisco',
    {
      LOGOUT: 'offline',
      NOT_READY: 'not_ready',
      READY: 'ready',
      RESERVED: 'reserved',
      RESERVED_OUTBOUND: 'reserved',
      RESERVED_OUTBOUND_PREVIEW: 'reserved',
      TALKING: 'on_call',
      HOLD: 'on_call',
      WORK: 'wrap_up',
      WORK_READY: 'wrap_up',
    },
  ],
  [
    'webexcc',
    {
      LoggedOut: 'offline',
      Idle: 'not_ready',
      RONA: 'not_ready',
      Available: 'ready',
      Reserved: 'reserved',
      Engaged: 'on_call',
      EngagedOther: 'on_call',
      WrapUp: 'wrap_up',
    },
  ],
  [
    'five9',
    {
      LOGGED_OUT: 'offline',
      RELOGIN: 'offline',
      SELECT_STATION: 'offline',
      NOT_READY: 'not_ready',
      READY: 'ready',
      RINGING: 'reserved',
      ON_CALL: 'on_call',
      ACW: 'wrap_up',
    },
  ],
  [
    'nice',
    {
      LoggedOut: 'offline',
      Unavailable: 'not_ready',
      Working: 'not_ready',
      Available: 'ready',
      InboundContact: 'on_call',
      OutboundContact: 'on_call',
      InboundConsult: 'on_call',
      OutboundConsult: 'on_call',
      Dialer: 'on_call',
    },
  ],
  ['avaya', { AgentLoggedOut: 'offline', AgentNotReady: 'not_ready', AgentReady: 'ready', 'Agent.Ready': 'ready' }],
];

it.each(documented)('the states of %s are ours', (id, expected) => {
  const read = (state: string) =>
    connectorOf(id)
      .read(deliveryOf({ event: 'agent_state', agent_id: '7', state }))
      .map((event) => (event.kind === 'agent_state' ? event.state : null));
  expect(Object.fromEntries(Object.keys(expected).map((theirs) => [theirs, read(theirs)]))).toEqual(
    Object.fromEntries(Object.entries(expected).map(([theirs, ours]) => [theirs, [ours]])),
  );
});
