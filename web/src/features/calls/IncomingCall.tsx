import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconPhoneCall, IconPhoneX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import classes from './CallPanel.module.css';
import { callingText } from './callWords.ts';
import { isTyping } from '../../shared/isTyping.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

/**
 * Somebody calls: who it is stands in the card below, before it is answered. After a reload the gateway knows of the call
 * before it rings at this telephone again, if it ever does.
 */
export function IncomingCall() {
  const { view } = useWorkplace();
  const { caller, pop } = view;
  const number = callingText(view);
  const name = pop?.screen_pop.name ?? caller?.displayName ?? null;
  return (
    <Paper component="section" withBorder p="sm" aria-label="Incoming call" className={`${classes.panel} ${classes.incoming}`}>
      <Title order={2} className={classes.who}>
        {name ?? number}
      </Title>
      <Text size="sm">
        {caller === null ? 'Waiting for this call to ring again…' : 'Incoming call'}
        {name === null ? '' : ` · ${number}`}
      </Text>
      {caller === null ? <Waiting /> : <Choice />}
    </Paper>
  );
}

function Waiting() {
  const { workplace } = useWorkplace();
  return (
    <Group mt="sm" grow>
      <Button variant="default" leftSection={<IconPhoneX size={16} aria-hidden />} onClick={() => workplace.hangUp()}>
        Don’t wait
      </Button>
    </Group>
  );
}

function Choice() {
  const { view, workplace } = useWorkplace();
  const answer = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isTyping()) answer.current?.focus();
  }, []);
  return (
    <Group mt="sm" grow>
      <Button
        ref={answer}
        color="green"
        leftSection={<IconPhoneCall size={16} aria-hidden />}
        aria-keyshortcuts="Alt+A"
        loading={view.isAnswering}
        onClick={() => workplace.answer()}
      >
        Answer
      </Button>
      <Button
        variant="default"
        leftSection={<IconPhoneX size={16} aria-hidden />}
        onClick={() => workplace.reject()}
      >
        Decline
      </Button>
    </Group>
  );
}
