import { Alert, Button, Group, Paper, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallSummary } from '../../../../src/contract/calls.ts';
import { failureText } from '../calls/phoneWords.ts';
import { resultText, whoIs } from '../calls/callWords.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { DispositionChoice } from './DispositionChoice.tsx';
import { useExtension, WrapUpCountdown } from './WrapUpCountdown.tsx';
import { dropDraft, keepDraft, readDraft, type WrapUpDraft } from './useWrapUpCall.ts';

type Props = { call: CallSummary; isLate: boolean; leave: (callId: string) => void; onDone: () => void };

/** How the call went: disposition, notes, a time to call back. What is typed stays until it is submitted. */
export function WrapUp({ call, isLate, leave, onDone }: Props) {
  const { t } = useTranslation();
  const { view, workplace } = useWorkplace();
  const [draft, setDraft] = useState(() => readDraft(call.id));
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const extend = useExtension(call.id);
  const titleId = useId();
  const dispositions = view.settings?.dispositions ?? [];
  const needsTime = dispositions.some(({ code, requires_callback_at }) => code === draft.code && requires_callback_at);

  function change(part: Partial<WrapUpDraft>): void {
    extend();
    const next = { ...draft, ...part };
    setDraft(next);
    setProblem(null);
    keepDraft(call.id, next);
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const callbackAt = draft.callback === '' ? null : new Date(draft.callback);
    if (draft.code === '') return setProblem(t('softphone.wrapUp.chooseDisposition'));
    if (callbackAt === null && needsTime) return setProblem(t('softphone.wrapUp.chooseTime'));
    if (callbackAt !== null && callbackAt.getTime() <= workplace.now()) return setProblem(t('softphone.wrapUp.timePast'));
    setBusy(true);
    setProblem(null);
    try {
      await workplace.submitDisposition(call.id, {
        code: draft.code,
        ...(draft.notes.trim() === '' ? {} : { notes: draft.notes.trim() }),
        ...(callbackAt === null ? {} : { callback_at: callbackAt.toISOString() }),
      });
      dropDraft(call.id);
      leave(call.id);
      onDone();
    } catch (error) {
      setProblem(failureText(t, error));
      setBusy(false);
    }
  }

  return (
    <Paper component="section" withBorder p="sm" aria-labelledby={titleId} data-testid="wrap-up">
      <form onSubmit={(event) => void submit(event)}>
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <div>
            <Title order={2} id={titleId}>
              {t('softphone.wrapUp.title')}
            </Title>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              <bdi>{whoIs(t, call)}</bdi> · {resultText(t, call)}
            </Text>
          </div>
          {!isLate && <WrapUpCountdown />}
        </Group>
        <Stack gap="xs" mt="xs">
          {isLate && <Text size="sm">{t('softphone.wrapUp.late')}</Text>}
          <DispositionChoice
            dispositions={dispositions}
            chosen={draft.code}
            onChoose={(code) => change({ code })}
          />
          <Textarea
            label={t('softphone.wrapUp.notes')}
            rows={3}
            resize="vertical"
            maxLength={10_000}
            value={draft.notes}
            onChange={(event) => change({ notes: event.currentTarget.value })}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
            }}
          />
          <TextInput
            type="datetime-local"
            label={t('softphone.wrapUp.callBackAt')}
            description={needsTime ? undefined : t('softphone.wrapUp.callBackHint')}
            withAsterisk={needsTime}
            aria-required={needsTime}
            value={draft.callback}
            onChange={(event) => change({ callback: event.currentTarget.value })}
          />
          {problem !== null && (
            <Alert color="red" variant="light" p="xs" role="alert">
              {problem}
            </Alert>
          )}
          <Group gap="xs">
            <Button type="submit" flex={1} loading={isBusy}>
              {t('softphone.wrapUp.save')}
            </Button>
            {isLate && (
              <Button variant="default" onClick={() => leave(call.id)}>
                {t('softphone.wrapUp.leave')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
