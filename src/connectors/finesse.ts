import { childOf, childrenOf, type XmlElement } from '../providers/xml.ts';
import type { CallEvent, PlatformAgentRef, PlatformEvent } from './connector.ts';
import { type CallDetails, callEvent, upNow } from './normalForm.ts';
import { agentOf, asText, asTime, directionOf, foldWord, readXmlText, unreadable } from './reading.ts';
import { agentState, type StateTable } from './states.ts';

/** Reads `<Update>`, alone or within an item of XMPP, where it may be text in turn. Throws `UnreadableEvent`. */
export function readUpdate(xml: string, states: StateTable): PlatformEvent[] {
  const root = readXmlText(xml);
  const notification = findIn(root, 'notification');
  const update = findIn(root, 'Update') ?? (notification === null ? null : findIn(readXmlText(notification.text.trim()), 'Update'));
  if (update === null) return unreadable('There is no Update in it.');
  const data = childOf(update, 'data') ?? unreadable('The Update has no data.');
  const [, userId = null] = /\/finesse\/api\/User\/([^/]+)/i.exec(told(update, 'source') ?? '') ?? [];
  const agent = userId === null ? null : agentOf(decoded(userId));
  const user = childOf(data, 'user') ?? childOf(data, 'User');
  if (user !== null) return readUser(user, agent, states);
  const isGone = foldWord(told(update, 'event') ?? '') === 'delete';
  const within = childOf(data, 'dialogs') ?? childOf(data, 'Dialogs') ?? data;
  return [...childrenOf(within, 'Dialog'), ...childrenOf(within, 'dialog')].flatMap((dialog) => readDialog(dialog, agent, isGone));
}

/** The element itself, or the first within that has the name. */
function findIn(element: XmlElement, name: string): XmlElement | null {
  if (element.name === name) return element;
  for (const child of element.children) {
    const found = findIn(child, name);
    if (found !== null) return found;
  }
  return null;
}

function decoded(part: string): string | null {
  try {
    return asText(decodeURIComponent(part));
  } catch {
    return asText(part);
  }
}

/** The text of a child; null: it has none that can be kept. */
function told(element: XmlElement | null, name: string): string | null {
  return asText(element === null ? null : childOf(element, name)?.text);
}

function readUser(user: XmlElement, agent: PlatformAgentRef | null, states: StateTable): PlatformEvent[] {
  const name = [told(user, 'firstName'), told(user, 'lastName')].filter((part) => part !== null).join(' ');
  const loginId = told(user, 'loginId') ?? agent?.id ?? null;
  const code = childOf(user, 'reasonCode');
  const state = told(user, 'state') ?? unreadable('The user has no state.');
  const reason = told(code, 'label') ?? told(code, 'code') ?? told(user, 'reasonCodeId');
  return agentState(states, agentOf(loginId, null, name === '' ? null : name), state, { reason, at: asTime(told(user, 'stateChangeTime')) });
}

function readDialog(dialog: XmlElement, agent: PlatformAgentRef | null, isGone: boolean): CallEvent[] {
  const callId = told(dialog, 'id') ?? unreadable('The dialog has no id.');
  if ((told(dialog, 'mediaType') ?? 'Voice') !== 'Voice') return [];
  const properties = childOf(dialog, 'mediaProperties');
  const part = ownPart(dialog);
  const state = (part === null ? null : part.state) ?? told(dialog, 'state') ?? (isGone ? 'DROPPED' : unreadable('The dialog has no state.'));
  const type = told(properties, 'callType');
  const direction = state === 'INITIATED' ? 'outbound' : type === 'TRANSFER' ? 'inbound' : directionOf(type === null ? null : foldWord(type));
  const numbers = {
    direction,
    from: told(dialog, 'fromAddress'),
    // As the dialer prefixed it, unless it says how it was before.
    to: (direction === 'outbound' ? told(dialog, 'callbackNumber') : null) ?? told(dialog, 'toAddress'),
    line: told(properties, 'dialedNumber') ?? told(properties, 'DNIS'),
  };
  const details = { agent, queue: told(properties, 'queueName'), at: part?.at ?? null };
  if (isGone) {
    // Where the last state is not an end, its time is not that of the end.
    const at = ['DROPPED', 'WRAP_UP', 'FAILED'].includes(state) ? details.at : null;
    return [finesseCall('ended', callId, numbers, { ...details, at, cause: state === 'FAILED' ? causeOf(part) : null })];
  }
  switch (state) {
    case 'ALERTING':
    case 'INITIATED':
      return [finesseCall('ringing', callId, numbers, details)];
    case 'ACTIVE': {
      // Of a dialog with several agents it is not known whose part is active.
      if (part === null) return [];
      return upNow(callId, finesseCall('answered', callId, numbers, details), details.at);
    }
    case 'HELD':
      return [finesseCall('held', callId, numbers, details)];
    case 'FAILED':
      return [finesseCall('ended', callId, numbers, { ...details, cause: causeOf(part) })];
    case 'DROPPED':
    case 'WRAP_UP':
      return [finesseCall('ended', callId, numbers, details)];
    default:
      return [];
  }
}

type Part = { state: string | null; at: number | null; why: string | null };

/** The agent's own part: the only one of an agent, or all of them where they are in one state. Null: not known which. */
function ownPart(dialog: XmlElement): Part | null {
  const all = childrenOf(childOf(dialog, 'participants') ?? dialog, 'Participant').filter((one) => told(one, 'mediaAddressType') === 'AGENT_DEVICE');
  const parts = all.map((one) => ({ state: told(one, 'state'), at: asTime(told(one, 'stateChangeTime')), why: told(one, 'stateCause') }));
  const [first] = parts;
  if (first === undefined) return { state: null, at: null, why: null };
  if (parts.length === 1) return first;
  return parts.every(({ state }) => state === first.state) ? { ...first, at: null } : null;
}

function causeOf(part: Part | null): CallEvent['cause'] {
  return part?.why === 'BUSY' ? 'busy' : 'failed';
}

type Numbers = { direction: CallEvent['direction']; from: string | null; to: string | null; line: string | null };

/** Who is the customer depends on the direction; of calls among agents, whose direction is neither, nobody is. */
export function finesseCall(event: CallEvent['event'], callId: string, { direction, from, to, line }: Numbers, details: CallDetails): CallEvent {
  const customer = direction === null ? null : direction === 'inbound' ? from : to;
  return callEvent(event, callId, { ...details, direction, customer, line: direction === 'inbound' ? (line ?? to) : null });
}
