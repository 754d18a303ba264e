import { ActionIcon, Kbd, Popover, Text, Title } from '@mantine/core';
import { IconHelp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { shortcuts } from './shortcuts.ts';
import classes from './shortcuts.module.css';

/** Which keys do what. */
export function ShortcutHelp() {
  const { t } = useTranslation();
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('softphone.shortcut.title')}
          title={t('softphone.shortcut.title')}
        >
          <IconHelp size={18} stroke={1.75} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown tabIndex={-1} data-autofocus aria-label={t('softphone.shortcut.title')}>
        <Title order={2} size="h3" mb="xs">
          {t('softphone.shortcut.title')}
        </Title>
        <dl className={classes.keys}>
          {shortcuts.map(({ key, text }) => (
            <Row key={key} keys={['Alt', key]} label={t(text)} />
          ))}
          <Row keys={['1', '…', '9']} label={t('softphone.shortcut.disposition')} />
          <Row keys={['Enter']} label={t('softphone.shortcut.saveByEnter')} />
          <Row keys={['Ctrl', 'Enter']} label={t('softphone.shortcut.save')} />
          <Row keys={['Enter']} label={t('softphone.shortcut.dial')} />
        </dl>
        <Text size="xs" c="dimmed" mt="xs">
          {t('softphone.shortcut.mac')}
        </Text>
      </Popover.Dropdown>
    </Popover>
  );
}

function Row({ keys, label }: { keys: readonly string[]; label: string }) {
  return (
    <>
      <dt>{keys.map((key) => (key === '…' ? <span key={key}> … </span> : <Kbd key={key}>{key}</Kbd>))}</dt>
      <dd>{label}</dd>
    </>
  );
}
