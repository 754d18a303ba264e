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
import classes from './stateLook.module.css';

type Look = { label: string; icon: Icon; colour: string };

/** How a state looks; `colour` is a class that sets `--state`, readable on the page in both themes. */
export const stateLooks: Record<AgentState, Look> = {
  ready: { label: 'Ready', icon: IconCircleCheck, colour: classes.ready ?? '' },
  reserved: { label: 'Reserved', icon: IconBellRinging, colour: classes.reserved ?? '' },
  on_call: { label: 'On call', icon: IconPhone, colour: classes.onCall ?? '' },
  wrap_up: { label: 'Wrap-up', icon: IconPencil, colour: classes.wrapUp ?? '' },
  not_ready: { label: 'Not Ready', icon: IconCircleMinus, colour: classes.notReady ?? '' },
  offline: { label: 'Offline', icon: IconPower, colour: classes.offline ?? '' },
};

/** A state as icon, colour and word. */
export function StateLabel({ state }: { state: AgentState }) {
  const { label, icon: Icon, colour } = stateLooks[state];
  return (
    <span className={`${classes.label} ${colour}`}>
      <Icon className={classes.icon} aria-hidden />
      {label}
    </span>
  );
}
