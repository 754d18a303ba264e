import type { Icon } from '@tabler/icons-react';
import type { AgentState } from '../../../src/contract/vocabulary.ts';
import { stateWords } from '../shared/stateWords.ts';
import classes from './stateLook.module.css';

type Look = { label: string; icon: Icon; colour: string };

/** How a state looks; `colour` is a class that sets `--state`, readable on the page in both themes. */
export const stateLooks: Record<AgentState, Look> = {
  ready: { ...stateWords.ready, colour: classes.ready ?? '' },
  reserved: { ...stateWords.reserved, colour: classes.reserved ?? '' },
  on_call: { ...stateWords.on_call, colour: classes.onCall ?? '' },
  wrap_up: { ...stateWords.wrap_up, colour: classes.wrapUp ?? '' },
  not_ready: { ...stateWords.not_ready, colour: classes.notReady ?? '' },
  offline: { ...stateWords.offline, colour: classes.offline ?? '' },
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
