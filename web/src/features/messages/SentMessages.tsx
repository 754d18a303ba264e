import { Alert, Badge, Button, Group, Loader, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessageView } from '../../../../src/contract/messages.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { MoreButton } from '../../shared/list/MoreButton.tsx';
import { useNow } from '../../shared/time.ts';
import { sentMessages, unreadBy, useTakeBack } from './messageQueries.ts';
import { recipientText } from './messageText.ts';

/** What was written, with how many have read it. */
export function SentMessages() {
  const { t } = useTranslation();
  const query = useInfiniteQuery(sentMessages);
  return (
    <Stack component="section" gap="xs" aria-label={t('messages.sent.title')}>
      <Title order={3} size="h4">
        {t('messages.sent.title')}
      </Title>
      {query.isPending && <Loader size="sm" aria-label={t('messages.sent.reading')} />}
      {query.error !== null && (
        <Alert color="red" variant="light">
          {messageOf(t, query.error)}
        </Alert>
      )}
      {query.data?.length === 0 && <Text size="sm">{t('messages.sent.none')}</Text>}
      <Stack component="ul" gap="xs" p={0} m={0}>
        {query.data?.map((message) => (
          <SentMessage key={message.id} message={message} />
        ))}
      </Stack>
      <MoreButton query={query} text={t('messages.sent.more')} isWide />
    </Stack>
  );
}

function SentMessage({ message }: { message: MessageView }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [showsUnread, setShowsUnread] = useState(false);
  const takingBack = useTakeBack();
  const now = useNow();
  const { created_at: at, expires_at: until, from, id, read, readers, taken_back_at: takenBackAt, text } = message;
  const isOver = takenBackAt !== null || Date.parse(until) <= now;
  const what = t('messages.sent.of', { to: recipientText(t, message), time: format.moment(at) });
  return (
    <Paper component="li" withBorder p="xs" style={{ listStyle: 'none' }} aria-label={what}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <Text size="sm" c="dimmed" style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          {t('messages.sent.line', { from: from.name, to: recipientText(t, message), time: format.moment(at) })}
        </Text>
        {isOver && (
          <Badge variant="light" color="gray" tt="none" style={{ flex: 'none' }}>
            {t(takenBackAt === null ? 'messages.sent.over' : 'messages.sent.takenBack')}
          </Badge>
        )}
      </Group>
      <Text size="sm" lineClamp={4} dir="auto" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
        {text}
      </Text>
      <Progress value={readers === 0 ? 0 : (read / readers) * 100} size="xs" mt="xs" aria-hidden inert />
      <Group gap="xs" mt="xs">
        <Text size="sm">{t('messages.sent.read', { read, readers })}</Text>
        {read < readers && (
          <Button
            size="compact-xs"
            variant="default"
            aria-expanded={showsUnread}
            aria-label={`${t('messages.sent.whoNot')}: ${what}`}
            onClick={() => setShowsUnread(!showsUnread)}
          >
            {t('messages.sent.whoNot')}
          </Button>
        )}
        {!isOver && (
          <Button
            size="compact-xs"
            variant="default"
            loading={takingBack.isPending}
            aria-label={`${t('messages.sent.takeBack')}: ${what}`}
            onClick={() => takingBack.run(id)}
          >
            {t('messages.sent.takeBack')}
          </Button>
        )}
      </Group>
      {takingBack.error !== null && (
        <Alert color="red" variant="light" p="xs" mt="xs" role="alert">
          {messageOf(t, takingBack.error)}
        </Alert>
      )}
      {showsUnread && read < readers && <UnreadBy message={message} />}
    </Paper>
  );
}

function UnreadBy({ message }: { message: MessageView }) {
  const { t } = useTranslation();
  const query = useInfiniteQuery(unreadBy(message));
  return (
    <>
      {query.error !== null && (
        <Text size="sm" role="alert">
          {messageOf(t, query.error)}
        </Text>
      )}
      <Text
        component="ul"
        size="sm"
        m={0}
        mt="xs"
        pl="md"
        aria-label={t('messages.sent.whoNot')}
        style={{ columns: '12rem', overflowWrap: 'anywhere' }}
      >
        {query.data?.map(({ agent_code: code, id, name }) => (
          <li key={id}>
            <bdi>{name}</bdi> {code}
          </li>
        ))}
      </Text>
      <MoreButton query={query} text={t('messages.sent.more')} size="compact-xs" />
    </>
  );
}
