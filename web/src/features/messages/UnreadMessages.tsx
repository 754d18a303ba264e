import { Alert, Button, Group, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessageNotice } from '../../../../src/contract/messages.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { useGatewayNow, useWorkplace } from '../workplace/workplaceContext.ts';
import classes from './UnreadMessages.module.css';
import { audienceText } from './messageText.ts';

/** What supervisors wrote to the agent, until it was read or its time is over. */
export function UnreadMessages({ messages }: { messages: readonly MessageNotice[] }) {
  const { t } = useTranslation();
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const now = useGatewayNow();
  const lasting = messages.filter(({ expires_at: until }) => Date.parse(until) > now);
  const latest = lasting.at(-1);
  return (
    <section aria-labelledby={titleId} data-testid="messages" hidden={lasting.length === 0}>
      <VisuallyHidden component="output">
        {latest === undefined ? '' : t('messages.unread.announced', { name: latest.from.name, text: latest.text })}
      </VisuallyHidden>
      <Title order={2} id={titleId} ref={heading} tabIndex={-1}>
        {t('messages.unread.label')}
      </Title>
      <Stack component="ul" gap="xs" p={0} my="xs">
        {lasting.map((message) => (
          <UnreadMessage key={message.id} message={message} onRead={() => heading.current?.focus()} />
        ))}
      </Stack>
    </section>
  );
}

function UnreadMessage({ message, onRead }: { message: MessageNotice; onRead: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { workplace } = useWorkplace();
  const reading = useAction(() => workplace.acknowledgeMessage(message.id));
  const { created_at: at, from, text } = message;

  function read(): void {
    // The button goes with the message: whoever uses the keyboard stays at the others.
    reading.run(undefined, { onSuccess: onRead });
  }

  return (
    <Paper component="li" withBorder p="xs" className={classes.message}>
      <Text size="sm" c="dimmed">
        <Text span size="sm" fw={600} c="var(--mantine-color-text)">
          <bdi>{from.name}</bdi>
        </Text>{' '}
        {audienceText(t, message)} · {format.moment(at)}
      </Text>
      {/* Long ones are scrolled in their place, with the keys too. */}
      <Text
        component="blockquote"
        m={0}
        className={classes.text ?? ''}
        dir="auto"
        tabIndex={0}
        aria-label={t('messages.unread.from', { name: from.name })}
      >
        {text}
      </Text>
      {reading.error !== null && (
        <Alert color="red" variant="light" p="xs" mt="xs" role="alert">
          {messageOf(t, reading.error)}
        </Alert>
      )}
      <Group mt="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconCheck size={14} aria-hidden />}
          loading={reading.isPending}
          aria-label={t('messages.unread.readOf', { name: from.name })}
          onClick={read}
        >
          {t('messages.unread.read')}
        </Button>
      </Group>
    </Paper>
  );
}
