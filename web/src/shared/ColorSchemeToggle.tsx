import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useColorScheme } from '@mantine/hooks';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

/** Changes between the light and the dark look. All pages of this browser share the choice. */
export function ColorSchemeToggle() {
  const { t } = useTranslation();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const system = useColorScheme('light');
  const other = scheme === 'dark' ? 'light' : 'dark';
  const Icon = other === 'dark' ? IconMoon : IconSun;
  const label = t(`shared.look.${other}`);
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      title={label}
      // Who chooses what the system has follows the system again.
      onClick={() => setColorScheme(other === system ? 'auto' : other)}
    >
      <Icon size={18} stroke={1.75} />
    </ActionIcon>
  );
}
