import { Badge } from '@mantine/core';
import { type Icon, IconBellRinging, IconCircleCheck, IconCircleMinus, IconPencil, IconPhone, IconPower } from '@tabler/icons-react';
import type { CodeWithLabel } from '../../../src/contract/values.ts';
import { type AgentState, standardReasons, type systemReasons } from '../../../src/contract/vocabulary.ts';
import classes from './agentState.module.css';

type Look = { label: string; icon: Icon; colour: string };

/**
 * How every page names and draws an agent's state: never by colour alone. `colour` is a class that sets `--state`, which
 * has a contrast of 4.5:1 to the page in both themes, as text and as the ground of text.
 */
export const agentStates: Readonly<Record<AgentState, Look>> = {
  ready: { label: 'Ready', icon: IconCircleCheck, colour: classes.ready ?? '' },
  reserved: { label: 'Ringing', icon: IconBellRinging, colour: classes.reserved ?? '' },
  on_call: { label: 'On call', icon: IconPhone, colour: classes.onCall ?? '' },
  wrap_up: { label: 'Wrap-up', icon: IconPencil, colour: classes.wrapUp ?? '' },
  not_ready: { label: 'Not Ready', icon: IconCircleMinus, colour: classes.notReady ?? '' },
  offline: { label: 'Offline', icon: IconPower, colour: classes.offline ?? '' },
};

/** A state as icon, colour and word, in a line of text. */
export function StateLabel({ state }: { state: AgentState }) {
  const { label, icon: Mark, colour } = agentStates[state];
  return (
    <span className={`${classes.label} ${colour}`}>
      <Mark className={classes.icon} aria-hidden />
      {label}
    </span>
  );
}

/** The same as a filled badge. */
export function AgentStateBadge({ state }: { state: AgentState }) {
  const { label, icon: Mark, colour } = agentStates[state];
  return (
    <Badge className={colour} vars={badgeColours} size="lg" radius="sm" tt="none" leftSection={<Mark size={14} aria-hidden />}>
      {label}
    </Badge>
  );
}

const badgeColours = () => ({ root: { '--badge-bg': 'var(--state)', '--badge-color': 'var(--mantine-color-body)' } });

/** Reasons that the gateway gives, as the agent and a supervisor read them. */
const given: Readonly<Record<(typeof systemReasons)[number], string>> = {
  login: 'Just logged in',
  delivery_failed: 'A call did not arrive',
  rejected: 'A call was declined',
  no_answer: 'A call was not answered',
  connection_lost: 'Connection lost',
  supervisor: 'Set by a supervisor',
};
const givenWords = new Map<string, string>(Object.entries(given));

/** The Not Ready reasons that a person may choose from: the standard ones, then the company's own, each once. */
export function reasonChoices(own: readonly CodeWithLabel[]): CodeWithLabel[] {
  const known = new Set(own.map(({ code }) => code));
  const missing = standardReasons.filter((code) => !known.has(code));
  return [...missing.map((code) => ({ code, label: sentence(code) })), ...own];
}

/** The words for a reason, whoever gave it; null: there are none for that code. */
export function reasonLabel(code: string, own: readonly CodeWithLabel[]): string | null {
  return reasonChoices(own).find((reason) => reason.code === code)?.label ?? givenWords.get(code) ?? null;
}

/** A reason for a person: in words, or else its code. */
export function reasonText(code: string, own: readonly CodeWithLabel[]): string {
  return reasonLabel(code, own) ?? sentence(code);
}

/** `not_interested` → `Not interested`. */
function sentence(code: string): string {
  const words = code.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
