import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconPhoneCall, IconPhoneX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import classes from './CallPanel.module.css';
import { isTyping } from './isTyping.ts';
import { useDesk } from './workplaceContext.ts';

/** Somebody calls: who it is stands in the card below, before it is answered. */
export function IncomingCall() {
  const { view, workplace } = useDesk();
  const { call, caller, pop } = view;
  const answer = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isTyping()) answer.current?.focus();
  }, []);
  const number = caller?.phoneNumber ?? call?.phone ?? '';
  const name = pop?.screen_pop.name ?? caller?.displayName ?? null;
  return (
    <Paper component="section" withBorder p="sm" aria-label="Incoming call" className={classes.incoming}>
      <Title order={2} className={classes.who}>
        {name ?? number}
      </Title>
      <Text size="sm">Incoming call{name === null ? '' : ` · ${number}`}</Text>
      <Group mt="sm" grow>
        <Button
          ref={answer}
          color="green"
          leftSection={<IconPhoneCall size={16} aria-hidden />}
          aria-keyshortcuts="Alt+A"
          disabled={caller === null}
          loading={view.isAnswering}
          onClick={() => workplace.answer()}
        >
          Answer
        </Button>
        <Button
          variant="default"
          leftSection={<IconPhoneX size={16} aria-hidden />}
          disabled={caller === null}
          onClick={() => workplace.reject()}
        >
          Decline
        </Button>
      </Group>
    </Paper>
  );
}
