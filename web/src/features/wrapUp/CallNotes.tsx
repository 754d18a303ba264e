import { Paper, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallView } from '../../../../src/contract/calls.ts';
import { changeDraft, readDraft, type WrapUpDraft } from './drafts.ts';
import { TagChoice } from './TagChoice.tsx';
import { useCallNotesField } from './useNotesField.ts';

/** What the agent notes during a call, and marks it with, from its first ring; its wrap-up goes on with that. */
export function CallNotes({ call }: { call: CallView }) {
  const { t } = useTranslation();
  const [{ notes, tags }, setDraft] = useState(() => readDraft(call));
  const field = useCallNotesField(call.id);

  function change(entered: Partial<WrapUpDraft>): void {
    changeDraft(call, entered);
    setDraft((before) => ({ ...before, ...entered }));
  }

  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <Textarea
          ref={field}
          label={t('softphone.wrapUp.notes')}
          rows={2}
          resize="vertical"
          maxLength={10_000}
          value={notes}
          onChange={(event) => change({ notes: event.currentTarget.value })}
        />
        <TagChoice chosen={tags} onChange={(chosen) => change({ tags: chosen })} />
      </Stack>
    </Paper>
  );
}
