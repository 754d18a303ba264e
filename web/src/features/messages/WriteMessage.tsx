import { Alert, Button, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WriteMessageRequest } from '../../../../src/contract/messages.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { RecipientSelect } from './RecipientSelect.tsx';
import { useWriteMessage } from './messageQueries.ts';

const longest = 1_000;
const durations = ['hour', 'hours4', 'hours12', 'day', 'week'] as const;
type Duration = (typeof durations)[number];
const minutesOf: Readonly<Record<Exclude<Duration, 'day'>, number>> = {
  hour: 60,
  hours4: 240,
  hours12: 720,
  week: 10_080,
};

/** The gateway takes no less. */
const fewestMinutes = 5;

/** By this machine's clock: how long the message lasts, and not until when, is told to the gateway. */
function validMinutes(duration: Duration): number {
  if (duration !== 'day') return minutesOf[duration];
  const midnight = new Date().setHours(24, 0, 0, 0);
  return Math.max(fewestMinutes, Math.round((midnight - Date.now()) / 60_000));
}

/** The form of a message. @param agent to whom, in the first place */
export function WriteMessage({ agent }: { agent: { id: string; name: string } | null }) {
  const { t } = useTranslation();
  const writing = useWriteMessage();
  const [to, setTo] = useState<WriteMessageRequest['to'] | null>(agent === null ? null : { agent_id: agent.id });
  const [text, setText] = useState('');
  const [duration, setDuration] = useState<Duration>('hours12');
  /** A second press, and one after a connection that broke, are for the same message. */
  const sent = useRef({ what: '', key: '' });
  const isReady = to !== null && text.trim() !== '';

  function send(): void {
    if (!isReady) return;
    const what = JSON.stringify([to, text, duration]);
    if (sent.current.what !== what) sent.current = { what, key: crypto.randomUUID() };
    writing.run(
      { to, text, valid_minutes: validMinutes(duration), key: sent.current.key },
      {
        onSuccess: () => {
          sent.current = { what: '', key: '' };
          setText('');
        },
      },
    );
  }

  return (
    <form
      aria-label={t('messages.write.title')}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Stack gap="sm">
        <RecipientSelect agent={agent} onChange={setTo} />
        <Textarea
          label={t('messages.write.text')}
          description={t('messages.write.left', { count: longest - text.length })}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          rows={4}
          resize="vertical"
          maxLength={longest}
          data-autofocus={agent !== null || undefined}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group align="flex-end" justify="space-between">
          <Select
            label={t('messages.write.shown')}
            allowDeselect={false}
            data={durations.map((value) => ({ value, label: t(`messages.write.for.${value}`) }))}
            value={duration}
            onChange={(value) => setDuration(durations.find((one) => one === value) ?? 'hours12')}
          />
          <Button type="submit" disabled={!isReady} loading={writing.isPending}>
            {t('messages.write.send')}
          </Button>
        </Group>
        {writing.error !== null && (
          <Alert color="red" variant="light" role="alert">
            {messageOf(t, writing.error)}
          </Alert>
        )}
        <Text component="output" size="sm">
          {writing.data !== undefined && text === '' ? t('messages.write.sent', { count: writing.data.readers }) : ''}
        </Text>
      </Stack>
    </form>
  );
}
