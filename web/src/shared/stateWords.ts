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

/** An agent's state as every page names and draws it: never by colour alone. */
export const stateWords: Readonly<Record<AgentState, { label: string; icon: Icon }>> = {
  ready: { label: 'Ready', icon: IconCircleCheck },
  reserved: { label: 'Ringing', icon: IconBellRinging },
  on_call: { label: 'On call', icon: IconPhone },
  wrap_up: { label: 'Wrap-up', icon: IconPencil },
  not_ready: { label: 'Not Ready', icon: IconCircleMinus },
  offline: { label: 'Offline', icon: IconPower },
};
