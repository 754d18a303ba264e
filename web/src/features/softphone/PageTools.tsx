import { ActionIcon, Group } from '@mantine/core';
import { IconKey, IconLogout } from '@tabler/icons-react';
import { useState } from 'react';
import type { LoginAnswer } from '../../../../src/contract/auth.ts';
import { setSignIn } from '../../lib/gateway/signIn.ts';
import type { ChangePassword } from '../../shared/ChangePassword.tsx';
import { ColorSchemeToggle } from '../../shared/ColorSchemeToggle.tsx';
import { keepsSignedIn } from '../calls/callWords.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { ShortcutHelp } from './shortcuts.tsx';

/** What the page itself offers: colours, help, the own password, signing out. */
export function PageTools({ onSignOut }: { onSignOut: () => void }) {
  const { view, workplace, run } = useWorkplace();
  /** Loaded when it is asked for, as few ever do; null: closed. */
  const [Form, setForm] = useState<typeof ChangePassword | null>(null);
  const isCalling = keepsSignedIn(view);

  async function goOnWith(answer: LoginAnswer): Promise<void> {
    // At once: the log-in before has ended, whatever becomes of the connection.
    setSignIn(answer);
    await workplace.renewToken(answer.token);
  }

  return (
    <Group gap={2} wrap="nowrap">
      <ColorSchemeToggle />
      <ShortcutHelp />
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label="Change password"
        title="Change password"
        bg="transparent"
        onClick={() =>
          run(async () => {
            const loaded = await import('../../shared/ChangePassword.tsx');
            setForm(() => loaded.ChangePassword);
          })
        }
      >
        <IconKey size={18} stroke={1.75} />
      </ActionIcon>
      {Form !== null && <Form isOpen onClose={() => setForm(null)} onChanged={goOnWith} />}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label="Sign out"
        title={isCalling ? 'Hang up before you sign out' : 'Sign out'}
        disabled={isCalling}
        bg="transparent"
        onClick={onSignOut}
      >
        <IconLogout size={18} stroke={1.75} />
      </ActionIcon>
    </Group>
  );
}
