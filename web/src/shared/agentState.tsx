import { Badge } from '@mantine/core';
import {
  IconBellRinging,
  IconCircleCheck,
  IconCircleMinus,
  IconPencil,
  IconPhone,
  IconPower,
  type Icon,
} from '@tabler/icons-react';
import type { AgentState } from '../../../src/contract/vocabulary.ts';
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
