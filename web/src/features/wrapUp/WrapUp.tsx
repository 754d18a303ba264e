import { Alert, Button, Group, Paper, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallSummary, CallTag, DispositionRequest } from '../../../../src/contract/calls.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { useSmallForm } from '../../shared/useSmallForm.ts';
import { failureText } from '../calls/phoneWords.ts';
import { nameOf, resultText } from '../calls/callWords.ts';
import { RecordLink } from '../../shared/RecordLink.tsx';
import { OtherEnd } from '../../shared/phoneNumbers/OtherEnd.tsx';
import { tagTexts } from '../../shared/tagTexts.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { DispositionChoice } from './DispositionChoice.tsx';
import { useExtension, WrapUpCountdown } from './WrapUpCountdown.tsx';
import { changeDraft, dropDraft, readDraft, withoutSaving, type WrapUpDraft } from './drafts.ts';
import { TagChoice } from './TagChoice.tsx';
import { useEnterSaves } from './useEnterSaves.ts';
import { useWrapUpNotesField } from './useNotesField.ts';

type Props = { call: CallSummary; isLate: boolean; leave: (callId: string) => void; onDone: () => void };

/** How the call went: disposition, notes, tags, a time to call back. What is entered stays until it is submitted. */
export function WrapUp({ call, isLate, leave, onDone }: Props) {
  const { t } = useTranslation();
  const { view, workplace } = useWorkplace();
  const extend = useExtension(call.id);
  const name = nameOf(call, view.pop);
  const form = useEnterSaves();
  const notes = useWrapUpNotesField(call.id);
  const [{ tags, ...first }, setDraft] = useState(() => readDraft(call));
  const dispositions = view.settings?.dispositions ?? [];
  const needsTime = (code: string) => dispositions.some((one) => one.code === code && one.requires_callback_at);
  const save = useAction(async (draft: WrapUpDraft) => {
    await withoutSaving(call.id, () => workplace.submitDisposition(call.id, dispositionOf(draft, view.settings?.tags !== undefined)));
    dropDraft(call.id);
    leave(call.id);
    onDone();
  });
  const fields = useSmallForm({
    initialValues: first,
    validate: ({ code, callback }) => ({
      ...(code === '' && { code: t('softphone.wrapUp.chooseDisposition') }),
      ...(callback === '' && needsTime(code) && { callback: t('softphone.wrapUp.chooseTime') }),
      ...(callback !== '' && Date.parse(callback) <= workplace.now() && { callback: t('softphone.wrapUp.timePast') }),
    }),
    onValuesChange: enter,
  });
  const isCallback = needsTime(fields.values.code);

  function enter(entered: Partial<WrapUpDraft>): void {
    extend();
    save.reset();
    changeDraft(call, entered);
  }

  function chooseTags(chosen: CallTag[]): void {
    setDraft((before) => ({ ...before, tags: chosen }));
    enter({ tags: chosen });
  }

  return (
    <Paper component="section" withBorder p="sm" aria-label={t('softphone.wrapUp.title')} data-testid="wrap-up">
      <form ref={form} onSubmit={fields.onSubmit((entered) => save.run({ ...entered, tags }))}>
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <div style={{ overflowWrap: 'anywhere' }}>
            <Title order={2}>
              <OtherEnd name={name} phone={call.phone} caller={call.caller} />
            </Title>
            <Text size="sm">
              {t('softphone.wrapUp.title')} · <span>{resultText(t, call)}</span>
              {name !== '' && (
                <>
                  {' · '}
                  <OtherEnd phone={call.phone} caller={call.caller} />
                </>
              )}
            </Text>
            {view.pop?.call_id !== call.id && <RecordLink record={call} />}
          </div>
          {!isLate && <WrapUpCountdown />}
        </Group>
        <Stack gap="xs" mt="xs">
          {isLate && <Text size="sm">{t('softphone.wrapUp.late')}</Text>}
          <DispositionChoice dispositions={dispositions} {...fields.getInputProps('code')} />
          <Textarea
            ref={notes}
            label={t('softphone.wrapUp.notes')}
            rows={3}
            resize="vertical"
            maxLength={10_000}
            {...fields.getInputProps('notes')}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
            }}
          />
          <TagChoice chosen={tags} onChange={chooseTags} />
          <TextInput
            type="datetime-local"
            label={t('softphone.wrapUp.callBackAt')}
            description={isCallback ? undefined : t('softphone.wrapUp.callBackHint')}
            withAsterisk={isCallback}
            aria-required={isCallback}
            {...fields.getInputProps('callback')}
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

/** @param hasTags gateways of before take no tags */
function dispositionOf({ code, notes, callback, tags }: WrapUpDraft, hasTags: boolean): DispositionRequest {
  return {
    code,
    ...(notes.trim() === '' ? {} : { notes: notes.trim() }),
    ...(hasTags ? { tags: tagTexts(tags) } : {}),
    ...(callback === '' ? {} : { callback_at: new Date(callback).toISOString(), callback_time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone }),
  };
}
