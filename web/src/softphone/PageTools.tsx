import { ActionIcon, Group, Tooltip, useMantineColorScheme } from '@mantine/core';
import { IconHelp, IconLogout, IconMoon, IconSun, IconSunMoon } from '@tabler/icons-react';
import { useState } from 'react';
import { lasts } from './callWords.ts';
import { ShortcutHelp } from './ShortcutHelp.tsx';
import { useDesk } from './workplaceContext.ts';

/** What the page itself offers: colours, help, signing out. */
export function PageTools({ onSignOut }: { onSignOut: () => void }) {
  const { view } = useDesk();
  const [showsHelp, setShowsHelp] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const isCalling = lasts(view.call);
  return (
    <Group gap={2} wrap="nowrap">
      <ColorSchemeButton />
      <Tooltip label="Keyboard shortcuts">
        <ActionIcon variant="subtle" color="gray" aria-label="Keyboard shortcuts" onClick={() => setShowsHelp(true)}>
          <IconHelp size={18} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={isCalling ? 'Hang up before you sign out' : 'Sign out'}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Sign out"
          loading={isLeaving}
          aria-disabled={isCalling}
          data-disabled={isCalling}
          onClick={() => {
            if (isCalling) return;
            setLeaving(true);
            onSignOut();
          }}
        >
          <IconLogout size={18} />
        </ActionIcon>
      </Tooltip>
      <ShortcutHelp isOpen={showsHelp} onClose={() => setShowsHelp(false)} />
    </Group>
  );
}

const schemes = {
  auto: { next: 'light', label: 'Colours: as this computer', icon: IconSunMoon },
  light: { next: 'dark', label: 'Colours: light', icon: IconSun },
  dark: { next: 'auto', label: 'Colours: dark', icon: IconMoon },
} as const;

function ColorSchemeButton() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { next, label, icon: Mark } = schemes[colorScheme];
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={() => setColorScheme(next)}>
        <Mark size={18} />
      </ActionIcon>
    </Tooltip>
  );
}
