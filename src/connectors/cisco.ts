import { childOf, childrenOf, type XmlElement } from '../providers/xml.ts';
import { finesseAccount } from './accounts/finesse.ts';
import type { CallEvent, Connector, PlatformEvent, StateTable } from './connector.ts';
import { agentState, type CallDetails, callEvent, readNormalForm, upNow } from './normalForm.ts';
import {
  agentOf,
  asText,
  type Fields,
  lookUp,
  readFields,
  readXmlBody,
  stateName,
  textOf,
  textOfBody,
  timeOf,
  unreadable,
} from './reading.ts';

const states: StateTable = {
  logout: { state: 'offline' },
  not_ready: { state: 'not_ready' },
  ready: { state: 'ready' },
  reserved: { state: 'reserved' },
  reserved_outbound: { state: 'reserved' },
  reserved_outbound_preview: { state: 'reserved' },
  talking: { state: 'on_call' },
  hold: { state: 'on_call' },
  work: { state: 'wrap_up' },
  work_ready: { state: 'wrap_up' },
};

const dialogStates: Readonly<Record<string, CallEvent['event']>> = {
  initiating: 'ringing',
  initiated: 'ringing',
  alerting: 'ringing',
  active: 'answered',
  held: 'held',
  wrap_up: 'ended',
  dropped: 'ended',
  failed: 'ended',
};

/**
 * Cisco Finesse: the notifications of users and dialogs (XML, alone or as its XMPP item carries it),
 * and what the gadget tells.
 */
export const cisco: Connector = {
  id: 'cisco',
  name: 'Cisco Finesse',
  verify: null,
  states,
  account: finesseAccount,
  read(delivery) {
    const text = textOfBody(delivery);
    if (text.startsWith('<')) return readUpdate(updateOf(readXmlBody(text)));
    const fields = readFields(delivery);
    return (
      readNormalForm(lookUp(fields, 'dialog_id') === undefined ? fields : gadgetForm(fields), states) ??
      unreadable('expected an update of Finesse, or the form of the gadget.')
    );
  },
};

/**
 * A gadget may tell a dialog's own fields: `dialog_id`, `state`, `from`, `to`, `call_type`.
 * Only at who is called a dialog is alerting.
 */
function gadgetForm(fields: Fields): Fields {
  const direction =
    directionOfCall(textOf(fields, 'call_type')) ?? (textOf(fields, 'state') === 'ALERTING' ? 'inbound' : null);
  const customer = direction === null ? null : textOf(fields, direction === 'inbound' ? 'from' : 'to');
  return { call_id: fields['dialog_id'], direction, customer_number: customer, ...fields };
}

/** Over XMPP an update is text within an item. */
function updateOf(root: XmlElement, depth = 0): XmlElement {
  if (root.name === 'Update') return root;
  if (root.name === 'notification' && root.text.trim().startsWith('<'))
    return updateOf(readXmlBody(root.text.trim()), depth + 1);
  const inner = root.children.find((child) => depth < 8 && hasUpdate(child));
  return inner === undefined ? unreadable('there is no Update in it.') : updateOf(inner, depth + 1);
}

function hasUpdate(element: XmlElement): boolean {
  return element.name === 'Update' || element.name === 'notification' || element.children.some(hasUpdate);
}

function readUpdate(update: XmlElement): PlatformEvent[] {
  const source = /\/finesse\/api\/User\/([^/]+)(\/Dialogs)?/i.exec(textIn(update, 'source') ?? '');
  const agentId = source?.[1] === undefined ? null : decoded(source[1]);
  const data = childOf(update, 'data');
  const isGone = textIn(update, 'event') === 'DELETE';
  const user = data === null ? null : childOf(data, 'user');
  if (user !== null) return readUser(user, agentId);
  const dialogs =
    data === null
      ? []
      : [...childrenOf(data, 'dialog'), ...childrenOf(data, 'Dialog'), ...(childOf(data, 'dialogs')?.children ?? [])];
  return dialogs.flatMap((dialog) => readDialog(dialog, agentId, isGone));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function readUser(user: XmlElement, agentId: string | null): PlatformEvent[] {
  const name = [textIn(user, 'firstName'), textIn(user, 'lastName')].filter((part) => part !== null).join(' ');
  const agent = agentOf(textIn(user, 'loginId') ?? agentId, null, name === '' ? null : name);
  const code = childOf(user, 'reasonCode');
  const reason =
    (code === null ? null : (textIn(code, 'label') ?? textIn(code, 'code'))) ?? textIn(user, 'reasonCodeId');
  return agentState(states, agent, textIn(user, 'state'), {
    reason,
    at: timeOf({ at: textIn(user, 'stateChangeTime') }, 'at'),
  });
}

/** The agent's own part counts: of a dialog with several agents in several states it is not known which that is. */
function readDialog(dialog: XmlElement, agentId: string | null, isGone: boolean): PlatformEvent[] {
  const callId = textIn(dialog, 'id');
  // Other media are chats and e-mails.
  if (callId === null || !/^voice$/i.test(textIn(dialog, 'mediaType') ?? 'voice')) return [];
  const parts = childrenOf(childOf(dialog, 'participants') ?? dialog, 'Participant').filter(
    (part) => textIn(part, 'mediaAddressType') === 'AGENT_DEVICE',
  );
  const [own] = parts;
  const isClear = new Set(parts.map((part) => textIn(part, 'state'))).size < 2;
  const told = (isClear && own !== undefined ? textIn(own, 'state') : null) ?? textIn(dialog, 'state');
  const stated = told === null ? undefined : lookUp(dialogStates, stateName(told));
  const event = isGone ? 'ended' : stated;
  if (event === undefined || (event === 'answered' && !isClear)) return [];
  const properties = childOf(dialog, 'mediaProperties');
  const direction = directionOfCall(properties === null ? null : textIn(properties, 'callType'));
  // Of calls among agents nobody is the customer.
  const customer = direction === null ? null : textIn(dialog, direction === 'outbound' ? 'toAddress' : 'fromAddress');
  const dialedNumber =
    properties === null || direction !== 'inbound'
      ? null
      : (textIn(properties, 'DNIS') ?? textIn(properties, 'dialedNumber'));
  const queue = properties === null ? null : textIn(properties, 'queueName');
  const why = own === undefined ? null : textIn(own, 'stateCause');
  // Since when the agent's part is as it is; one that was taken away is so since now.
  const at = isGone || own === undefined || !isClear ? null : timeOf({ at: textIn(own, 'stateChangeTime') }, 'at');
  const failure = why === 'BUSY' ? 'busy' : 'failed';
  const details: CallDetails = {
    direction,
    customer,
    dialedNumber,
    agent: agentOf(agentId),
    queue,
    at,
    cause: told === 'FAILED' ? failure : null,
  };
  return event === 'answered' ? upNow(callId, details, at) : [callEvent(event, callId, details)];
}

/**
 * @param type e.g. `ACD_IN`, `PREROUTE_DIRECT_AGENT`, `TRANSFER`, `OUT`;
 * calls among agents are `AGENT_INSIDE`, `CONSULT` and others
 */
function directionOfCall(type: string | null): CallEvent['direction'] {
  if (type === null) return null;
  if (type.startsWith('OUT')) return 'outbound';
  return /_IN$|^PREROUTE_|^TRANSFER$/.test(type) ? 'inbound' : null;
}

/** The text of a child; null: there is none, or it is empty or far too long. */
function textIn(element: XmlElement, name: string): string | null {
  return asText(childOf(element, name)?.text);
}
