import { Alert, Button, Group, Paper, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallSummary, CallTag, DispositionRequest } from '../../../../src/contract/calls.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { useSmallForm } from '../../shared/useSmallForm.ts';
import { failureText } from '../calls/callWords.ts';
import { TagField } from '../../shared/TagField.tsx';
import { tagTexts } from '../../shared/tagTexts.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { DispositionChoice } from './DispositionChoice.tsx';
import { useExtension } from './WrapUpCountdown.tsx';
import { changeDraft, readDraft, withoutSaving, type WrapUpDraft } from './drafts.ts';
import { dropDraft } from './keptDrafts.ts';
import { isRecorded } from './useCallKey.ts';
import { useSavingKeys } from './useSavingKeys.ts';
import { WrapUpHead } from './WrapUpHead.tsx';

type Props = {
  call: CallSummary;
  /** `lasts`: there is nothing to save yet; `late`: the time for it is over. */
  phase: 'lasts' | 'running' | 'late';
  leave: (callId: string) => void;
  onDone: () => void;
};

/**
 * What the agent notes of a call and marks it with, from its first ring; and, once it is over, how it went and when to
 * call back. One form, so that whoever is typing when the customer hangs up goes on in the same field. What is entered
 * stays until it is submitted.
 */
export function WrapUp({ call, phase, leave, onDone }: Props) {
  const { t } = useTranslation();
  const { view, workplace } = useWorkplace();
  const extend = useExtension(call.id);
  const isOver = phase !== 'lasts';
  const isLate = phase === 'late';
  const form = useSavingKeys(isOver);
  const [{ tags, ...first }, setDraft] = useState(() => readDraft(call));
  const unkept = useRef<Partial<WrapUpDraft>>({});
  const dispositions = view.settings?.dispositions ?? [];
  const needsTime = (code: string) => dispositions.some((one) => one.code === code && one.requires_callback_at);
  const save = useAction(async (draft: WrapUpDraft) => {
    await withoutSaving(call.id, () =>
      workplace.submitDisposition(call.id, dispositionOf(draft, view.settings?.tags !== undefined)),
    );
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
  const keepAll = useEffectEvent(() => keep({}));
  useEffect(() => keepAll(), [call.id]);

  function enter(entered: Partial<WrapUpDraft>): void {
    extend();
    save.reset();
    keep(entered);
  }

  /** What is entered before the gateway has recorded the call waits here until it has. */
  function keep(entered: Partial<WrapUpDraft>): void {
    unkept.current = { ...unkept.current, ...entered };
    if (!isRecorded(call) || Object.keys(unkept.current).length === 0) return;
    changeDraft(call, unkept.current, workplace.now());
    unkept.current = {};
  }

  function chooseTags(chosen: CallTag[]): void {
    setDraft((before) => ({ ...before, tags: chosen }));
    enter({ tags: chosen });
  }

  return (
    <Paper
      component="section"
      withBorder
      p="sm"
      aria-label={t(isOver ? 'softphone.wrapUp.title' : 'softphone.wrapUp.notes')}
      data-testid={isOver ? 'wrap-up' : undefined}
    >
      <form ref={form} onSubmit={fields.onSubmit((entered) => isOver && save.run({ ...entered, tags }))}>
        {isOver && <WrapUpHead call={call} isLate={isLate} />}
        <Stack gap="xs" mt={isOver ? 'xs' : 0}>
          {isLate && <Text size="sm">{t('softphone.wrapUp.late')}</Text>}
          {isOver && (
            <DispositionChoice dispositions={dispositions} takesFocus={!isLate} {...fields.getInputProps('code')} />
          )}
          <Textarea
            label={t('softphone.wrapUp.notes')}
            rows={isOver ? 3 : 2}
            resize="vertical"
            maxLength={10_000}
            {...fields.getInputProps('notes')}
          />
          <TagChoice chosen={tags} onChange={chooseTags} />
          {isOver && (
            <TextInput
              type="datetime-local"
              label={t('softphone.wrapUp.callBackAt')}
              description={isCallback ? undefined : t('softphone.wrapUp.callBackHint')}
              withAsterisk={isCallback}
              aria-required={isCallback}
              {...fields.getInputProps('callback')}
            />
          )}
          {save.error !== null && (
            <Alert color="red" variant="light" p="xs" role="alert">
              {failureText(t, save.error)}
            </Alert>
          )}
          {isOver && (
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
          )}
        </Stack>
      </form>
    </Paper>
  );
}

/** What the agent marks a call with; nothing where the company has no tags. */
function TagChoice({ chosen, onChange }: { chosen: readonly CallTag[]; onChange: (chosen: CallTag[]) => void }) {
  const { settings } = useWorkplace().view;
  // Gateways of before know of none.
  const { tags = [], free_tags: isFree = false } = settings ?? {};
  if (tags.length === 0 && !isFree && chosen.length === 0) return null;
  return <TagField choices={tags} isFree={isFree} chosen={chosen} onChange={onChange} />;
}

/** @param hasTags gateways of before take no tags */
function dispositionOf({ code, notes, callback, tags }: WrapUpDraft, hasTags: boolean): DispositionRequest {
  return {
    code,
    ...(notes.trim() === '' ? {} : { notes: notes.trim() }),
    ...(hasTags ? { tags: tagTexts(tags) } : {}),
    ...(callback === ''
      ? {}
      : {
          callback_at: new Date(callback).toISOString(),
          callback_time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
        }),
  };
}
