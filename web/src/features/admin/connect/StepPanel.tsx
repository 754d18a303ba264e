import { useEffect, useRef, type FormEvent, type ReactNode } from 'react';
import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import classes from '../components/Page.module.css';

type Props = {
  title: string;
  note: ReactNode;
  children: ReactNode;
  /** The buttons that lead on and back. */
  actions: ReactNode;
  onSubmit: () => void;
};

/** One step of the path. Its heading takes the focus, so that keyboard and screen reader go on from there. */
export function StepPanel({ title, note, children, actions, onSubmit }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  function submit(event: FormEvent): void {
    event.preventDefault();
    onSubmit();
  }

  return (
    <Paper withBorder p="md">
      <form onSubmit={submit} noValidate>
        <Stack>
          <div>
            <Title order={2} tabIndex={-1} ref={heading} className={classes.heading ?? ''}>
              {title}
            </Title>
            <Text size="sm" c="dimmed">
              {note}
            </Text>
          </div>
          {children}
          <Group>{actions}</Group>
        </Stack>
      </form>
    </Paper>
  );
}
