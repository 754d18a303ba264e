import {
  IconAlarm,
  IconCircleCheck,
  IconCircleMinus,
  IconPhone,
  IconPhoneIncoming,
  IconPower,
  type Icon,
} from '@tabler/icons-react';
import { standardReasons, type AgentState } from '../../../src/contract/vocabulary.ts';
import type { CodeWithLabel } from '../../../src/contract/values.ts';

/** How a state looks: never by colour alone. */
export const stateLooks: Readonly<Record<AgentState, { label: string; color: string; icon: Icon }>> = {
  offline: { label: 'Logged out', color: 'gray', icon: IconPower },
  not_ready: { label: 'Not Ready', color: 'orange', icon: IconCircleMinus },
  ready: { label: 'Ready', color: 'green', icon: IconCircleCheck },
  reserved: { label: 'Call coming', color: 'blue', icon: IconPhoneIncoming },
  on_call: { label: 'On a call', color: 'blue', icon: IconPhone },
  wrap_up: { label: 'Wrap-up', color: 'violet', icon: IconAlarm },
};

/** Reasons that the gateway gives, in words that tell the agent what happened. */
const systemReasonLabels: Readonly<Record<string, string>> = {
  login: 'just logged in',
  delivery_failed: 'a call did not reach this page',
  rejected: 'a call was declined',
  no_answer: 'a call was not answered',
  connection_lost: 'the connection was lost',
  supervisor: 'set by a supervisor',
};

/** What an agent may choose from: the standard reasons, then the company's own, each once. */
export function reasonChoices(given: readonly CodeWithLabel[]): CodeWithLabel[] {
  const known = new Set(given.map(({ code }) => code));
  const missing = standardReasons.filter((code) => !known.has(code));
  return [...missing.map((code) => ({ code, label: sentence(code) })), ...given];
}

/** Why an agent is Not Ready, for a person. */
export function reasonLabel(code: string, given: readonly CodeWithLabel[]): string {
  const chosen = reasonChoices(given).find((reason) => reason.code === code);
  return chosen?.label ?? systemReasonLabels[code] ?? sentence(code);
}

/** `not_interested` → `Not interested`. */
export function sentence(code: string): string {
  const words = code.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
