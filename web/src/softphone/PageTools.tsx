import { ActionIcon, Group } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { ColorSchemeToggle } from '../shared/ColorSchemeToggle.tsx';
import { keepsSignedIn } from './keepsSignedIn.ts';
import { ShortcutHelp } from './ShortcutHelp.tsx';
import { useDesk } from './workplaceContext.ts';

/** What the page itself offers: colours, help, signing out. */
export function PageTools({ onSignOut }: { onSignOut: () => void }) {
  const { view } = useDesk();
  const isCalling = keepsSignedIn(view);
  return (
    <Group gap={2} wrap="nowrap">
      <ColorSchemeToggle />
      <ShortcutHelp />
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
