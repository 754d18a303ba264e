import { useState } from 'react';
import { Drawer } from '@mantine/core';
import type { AgentView } from '../../../../../src/contract/agents.ts';
import type { SignedInAgent } from '../../../../../src/contract/auth.ts';
import { askToLeave } from '../shell/leaveGuard.ts';
import { EditAgent } from './EditAgent.tsx';
import { NewAgent } from './NewAgent.tsx';

type Props = {
  me: SignedInAgent;
  /** Null: closed. */
  opened: AgentView | 'new' | null;
  onClose: () => void;
};

/** One account beside the list. */
export function AgentDrawer({ me, opened, onClose }: Props) {
  // What was open stays to be seen while the drawer slides out.
  const [shown, setShown] = useState(opened);
  if (opened !== null && opened !== shown) setShown(opened);
  return (
    <Drawer
      opened={opened !== null}
      onClose={() => askToLeave(onClose)}
      position="right"
      size={480}
      title={shown === 'new' || shown === null ? 'New agent' : shown.name}
    >
      {shown === 'new' && <NewAgent onDone={onClose} />}
      {shown !== 'new' && shown !== null && <EditAgent key={shown.id} agent={shown} me={me} onDone={onClose} />}
    </Drawer>
  );
}
