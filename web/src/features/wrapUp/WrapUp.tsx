import { Alert, Button, Group, Paper, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallSummary, DispositionRequest } from '../../../../src/contract/calls.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { useSmallForm } from '../../shared/useSmallForm.ts';
import { failureText } from '../calls/phoneWords.ts';
import { resultText } from '../calls/callWords.ts';
import { RecordLink } from '../../shared/RecordLink.tsx';
import { OtherEnd } from '../../shared/phoneNumbers/OtherEnd.tsx';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { DispositionChoice } from './DispositionChoice.tsx';
import { useExtension, WrapUpCountdown } from './WrapUpCountdown.tsx';
import { saveNotesSoon } from './savedNotes.ts';
import { dropDraft, keepDraft, readDraft, type WrapUpDraft } from './useWrapUpCall.ts';

type Props = { call: CallSummary; isLate: boolean; leave: (callId: string) => void; onDone: () => void };

/** How the call went: disposition, notes, a time to call back. What is typed stays until it is submitted. */
export function WrapUp({ call, isLate, leave, onDone }: Props) {
  const { t } = useTranslation();
  const { view, workplace } = useWorkplace();
  const extend = useExtension(call.id);
  const titleId = useId();
  const dispositions = view.settings?.dispositions ?? [];
  const needsTime = (code: string) => dispositions.some((one) => one.code === code && one.requires_callback_at);
  const save = useAction(async (draft: WrapUpDraft) => {
    await workplace.submitDisposition(call.id, dispositionOf(draft));
    dropDraft(call.id);
    leave(call.id);
    onDone();
  });
  const form = useSmallForm({
    initialValues: readDraft(call),
    validate: ({ code, callback }) => ({
      ...(code === '' && { code: t('softphone.wrapUp.chooseDisposition') }),
      ...(callback === '' && needsTime(code) && { callback: t('softphone.wrapUp.chooseTime') }),
      ...(callback !== '' && Date.parse(callback) <= workplace.now() && { callback: t('softphone.wrapUp.timePast') }),
    }),
    onValuesChange: (draft) => {
      extend();
      save.reset();
      keepDraft(call.id, draft);
      saveNotesSoon(call.id, draft.notes);
    },
  });
  const isCallback = needsTime(form.values.code);

  return (
    <Paper component="section" withBorder p="sm" aria-labelledby={titleId} data-testid="wrap-up">
      <form onSubmit={form.onSubmit((draft) => save.run(draft))}>
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <div>
            <Title order={2} id={titleId}>
              {t('softphone.wrapUp.title')}
            </Title>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              <OtherEnd name={call.customer_name} phone={call.phone} caller={call.caller} /> · {resultText(t, call)}
            </Text>
            {view.pop?.call_id !== call.id && <RecordLink record={call} />}
          </div>
          {!isLate && <WrapUpCountdown />}
        </Group>
        <Stack gap="xs" mt="xs">
          {isLate && <Text size="sm">{t('softphone.wrapUp.late')}</Text>}
          <DispositionChoice dispositions={dispositions} {...form.getInputProps('code')} />
          <Textarea
            label={t('softphone.wrapUp.notes')}
            rows={3}
            resize="vertical"
            maxLength={10_000}
            {...form.getInputProps('notes')}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
            }}
          />
          <TextInput
            type="datetime-local"
            label={t('softphone.wrapUp.callBackAt')}
            description={isCallback ? undefined : t('softphone.wrapUp.callBackHint')}
            withAsterisk={isCallback}
            aria-required={isCallback}
            {...form.getInputProps('callback')}
          />
          {save.error !== null && (
            <Alert color="red" variant="light" p="xs" role="alert">
              {failureText(t, save.error)}
            </Alert>
          )}
          <Group gap="xs">
            <Button type="submit" flex={1} loading={save.isPending}>
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

function dispositionOf({ code, notes, callback }: WrapUpDraft): DispositionRequest {
  return {
    code,
    ...(notes.trim() === '' ? {} : { notes: notes.trim() }),
    ...(callback === '' ? {} : { callback_at: new Date(callback).toISOString(), callback_time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone }),
  };
}
