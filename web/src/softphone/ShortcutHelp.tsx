import { Kbd, Modal, Text } from '@mantine/core';
import classes from './ShortcutHelp.module.css';
import { shortcuts } from './shortcuts.ts';

/** Which keys do what. */
export function ShortcutHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard shortcuts" size="sm" closeButtonProps={{ 'aria-label': 'Close' }}>
      <dl className={classes.keys}>
        {shortcuts.map(({ key, label }) => (
          <Row key={key} keys={['Alt', key]} label={label} />
        ))}
        <Row keys={['1', '…', '9']} label="Choose a disposition" />
        <Row keys={['Ctrl', 'Enter']} label="Save the wrap-up, from the notes" />
        <Row keys={['Enter']} label="Dial the number that was typed" />
      </dl>
      <Text size="xs" c="dimmed" mt="sm">
        On a Mac, Alt is the Option key.
      </Text>
    </Modal>
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
