import '@mantine/core/styles/Kbd.css';
import { Kbd, Text } from '@mantine/core';
import { IconHelp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ToolPopover } from '../workplace/ToolPopover.tsx';
import { shortcuts } from './shortcuts.ts';
import classes from './shortcuts.module.css';

/** Which keys do what. */
export function ShortcutHelp() {
  const { t } = useTranslation();
  return (
    <ToolPopover
      title={t('softphone.shortcut.title')}
      icon={IconHelp}
      dropdown={{ tabIndex: -1, 'data-autofocus': true }}
    >
      {() => (
        <>
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
        </>
      )}
    </ToolPopover>
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
