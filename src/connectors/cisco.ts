import { childOf, childrenOf, type XmlElement } from '../providers/xml.ts';
import type { CallEvent, Connector, PlatformEvent, StateTable } from './connector.ts';
import { agentState, callEvent, readNormalForm } from './normalForm.ts';
import { agentOf, readFields, readXmlBody, stateName, timeOf, unreadable } from './reading.ts';

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

/** Cisco Finesse: the notifications of users and dialogs (XML, alone or as its XMPP item carries it), and what the gadget tells. */
export const cisco: Connector = {
  id: 'cisco',
  name: 'Cisco Finesse',
  verify: null,
  states,
  settable: { ready: 'READY', not_ready: 'NOT_READY' },
  read(delivery) {
    const text = delivery.body.toString('utf8');
    if (/^[\uFEFF\s]*</.test(text)) return readUpdate(updateOf(readXmlBody(text)));
    return readNormalForm(readFields(delivery), states) ?? unreadable('expected an update of Finesse, or the form of the gadget.');
  },
};

/** Over XMPP an update is text within an item. */
function updateOf(root: XmlElement, depth = 0): XmlElement {
  if (root.name === 'Update') return root;
  if (root.name === 'notification' && root.text.trim().startsWith('<')) return updateOf(readXmlBody(root.text.trim()), depth + 1);
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
  const dialogs = data === null ? [] : [...childrenOf(data, 'dialog'), ...childrenOf(data, 'Dialog'), ...(childOf(data, 'dialogs')?.children ?? [])];
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
  const reason = code === null ? null : (textIn(code, 'label') ?? textIn(code, 'code'));
  return agentState(states, agent, textIn(user, 'state'), { reason, at: timeOf({ at: textIn(user, 'stateChangeTime') }, 'at') });
}

/** On a dialog of several the agent's own part counts, where it is the only one of an agent. */
function readDialog(dialog: XmlElement, agentId: string | null, isGone: boolean): PlatformEvent[] {
  const callId = textIn(dialog, 'id');
  if (callId === null) return [];
  const parts = childrenOf(childOf(dialog, 'participants') ?? dialog, 'Participant').filter((part) => textIn(part, 'mediaAddressType') === 'AGENT_DEVICE');
  const [own] = parts;
  const told = (parts.length === 1 && own !== undefined ? textIn(own, 'state') : null) ?? textIn(dialog, 'state');
  const event = isGone ? 'ended' : told === null ? undefined : dialogStates[stateName(told)];
  if (event === undefined) return [];
  const properties = childOf(dialog, 'mediaProperties');
  const direction = (properties === null ? null : textIn(properties, 'callType'))?.startsWith('OUT') === true ? 'outbound' : 'inbound';
  const customer = textIn(dialog, direction === 'outbound' ? 'toAddress' : 'fromAddress');
  const queue = properties === null ? null : textIn(properties, 'queueName');
  return [callEvent(event, callId, { direction, customer, agent: agentOf(agentId), queue, cause: told === 'FAILED' ? 'failed' : null })];
}

/** The text of a child; null: there is none, or it is empty or far too long. */
function textIn(element: XmlElement, name: string): string | null {
  const text = childOf(element, name)?.text.trim() ?? '';
  return text === '' || text.length > 500 ? null : text;
}
