import type { Connector, StateTable } from './connector.ts';
import { readNormalForm } from './normalForm.ts';
import { readFields, unreadable } from './reading.ts';

const states: StateTable = {
  logged_out: { state: 'offline' },
  relogin: { state: 'offline' },
  select_station: { state: 'offline' },
  not_ready: { state: 'not_ready' },
  ready: { state: 'ready' },
  ringing: { state: 'reserved' },
  on_call: { state: 'on_call' },
  acw: { state: 'wrap_up' },
};

/** Five9: web connectors that post a form with the names of the gateway's own form, and the agents' page, which posts it as JSON. */
export const five9: Connector = {
  id: 'five9',
  name: 'Five9',
  verify: null,
  states,
  settable: { ready: 'READY', not_ready: 'NOT_READY' },
  read(delivery) {
    return readNormalForm(readFields(delivery), states) ?? unreadable('event must be one of the form’s, with call_id.');
  },
};
