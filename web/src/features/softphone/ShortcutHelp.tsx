import { ActionIcon, Kbd, Popover, Text, Title } from '@mantine/core';
import { IconHelp } from '@tabler/icons-react';
import classes from './ShortcutHelp.module.css';
import { shortcuts } from './shortcuts.ts';

/** Which keys do what. */
export function ShortcutHelp() {
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="Keyboard shortcuts" title="Keyboard shortcuts">
          <IconHelp size={18} stroke={1.75} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown tabIndex={-1} data-autofocus aria-label="Keyboard shortcuts">
        <Title order={2} size="h3" mb="xs">
          Keyboard shortcuts
        </Title>
        <dl className={classes.keys}>
          {shortcuts.map(({ key, label }) => (
            <Row key={key} keys={['Alt', key]} label={label} />
          ))}
          <Row keys={['1', '…', '9']} label="Choose a disposition" />
          <Row keys={['Ctrl', 'Enter']} label="Save the wrap-up, from the notes" />
          <Row keys={['Enter']} label="Dial the number that was typed" />
        </dl>
        <Text size="xs" c="dimmed" mt="xs">
          On a Mac, Alt is the Option key.
        </Text>
      </Popover.Dropdown>
    </Popover>
  );
}

function Row({ keys, label }: { keys: readonly string[]; label: string }) {
  return (
    <>
      <dt>
        {keys.map((key) => (key === '…' ? <span key={key}> … </span> : <Kbd key={key}>{key}</Kbd>))}
      </dt>
      <dd>{label}</dd>
    </>
  );
}
