import { Badge } from '@mantine/core';
import {
  type Icon,
  IconBellRinging,
  IconCircleCheck,
  IconCircleMinus,
  IconPencil,
  IconPhone,
  IconPower,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { CodeWithLabel } from '../../../src/contract/values.ts';
import { type AgentState, standardNotReadyReasons, systemReasons } from '../../../src/contract/vocabulary.ts';
import type { Translate } from '../lib/i18n/catalog.ts';
import classes from './state.module.css';

type Look = { icon: Icon; colour: string };

/**
 * How every page draws an agent's state (`shared.state` names it): never by colour alone. `colour` is a class that sets
 * `--state`, which has a contrast of 4.5:1 to the page in both themes, as text and as the ground of text.
 */
export const agentStates: Readonly<Record<AgentState, Look>> = {
  ready: { icon: IconCircleCheck, colour: classes.ready ?? '' },
  reserved: { icon: IconBellRinging, colour: classes.reserved ?? '' },
  on_call: { icon: IconPhone, colour: classes.onCall ?? '' },
  wrap_up: { icon: IconPencil, colour: classes.wrapUp ?? '' },
  not_ready: { icon: IconCircleMinus, colour: classes.notReady ?? '' },
  offline: { icon: IconPower, colour: classes.offline ?? '' },
};

/** A state as icon, colour and word, in a line of text. */
export function StateLabel({ state }: { state: AgentState }) {
  const { icon: Mark, colour } = agentStates[state];
  const { t } = useTranslation();
  return (
    <span className={`${classes.label} ${colour}`}>
      <Mark className={classes.icon} aria-hidden />
      {t(`shared.state.${state}`)}
    </span>
  );
}

/** The same as a filled badge. */
export function AgentStateBadge({ state }: { state: AgentState }) {
  const { icon: Mark, colour } = agentStates[state];
  const { t } = useTranslation();
  return (
    <Badge
      className={colour}
      vars={badgeColours}
      size="lg"
      radius="sm"
      tt="none"
      leftSection={<Mark size={14} aria-hidden />}
    >
      {t(`shared.state.${state}`)}
    </Badge>
  );
}

const badgeColours = () => ({ root: { '--badge-bg': 'var(--state)', '--badge-color': 'var(--mantine-color-body)' } });

/** Reasons that the gateway gives; nobody chooses them. */
const given: ReadonlySet<string> = new Set(systemReasons);

/**
 * The Not Ready reasons that a person may choose from: the standard ones, then the company's own, each once.
 * @param told the company's own, or all as a session is told them
 */
export function allNotReadyReasons(t: Translate, told: readonly CodeWithLabel[]): CodeWithLabel[] {
  const others = told.filter(({ code }) => !isStandard(code));
  return [...standardNotReadyReasons.map((code) => ({ code, label: t(`shared.reason.${code}`) })), ...others];
}

/** The words for a reason, whoever gave it; null: there are none for that code. */
export function reasonLabel(t: Translate, code: string, told: readonly CodeWithLabel[]): string | null {
  const chosen = allNotReadyReasons(t, told).find((reason) => reason.code === code);
  return chosen?.label ?? (isGiven(code) ? t(`shared.reason.${code}`) : null);
}

/** The gateway tells these too, in English; a company cannot have its own of that code. */
function isStandard(code: string): boolean {
  return (standardNotReadyReasons as readonly string[]).includes(code);
}

function isGiven(code: string): code is (typeof systemReasons)[number] {
  return given.has(code);
}

/** A reason for a person: in words, or else its code. */
export function reasonText(t: Translate, code: string, told: readonly CodeWithLabel[]): string {
  return reasonLabel(t, code, told) ?? sentence(code);
}

/** `not_interested` → `Not interested`. */
function sentence(code: string): string {
  const words = code.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
