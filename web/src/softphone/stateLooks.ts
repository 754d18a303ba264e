import type { Icon } from '@tabler/icons-react';
import type { AgentState } from '../../../src/contract/vocabulary.ts';
import { stateWords } from '../shared/stateWords.ts';

/** How a state looks: never by colour alone. */
export const stateLooks: Readonly<Record<AgentState, { label: string; color: string; icon: Icon }>> = {
  offline: { ...stateWords.offline, color: 'gray' },
  not_ready: { ...stateWords.not_ready, color: 'orange' },
  ready: { ...stateWords.ready, color: 'green' },
  reserved: { ...stateWords.reserved, color: 'blue' },
  on_call: { ...stateWords.on_call, color: 'blue' },
  wrap_up: { ...stateWords.wrap_up, color: 'violet' },
};
