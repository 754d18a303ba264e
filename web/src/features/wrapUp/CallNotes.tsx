import { Paper, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallView } from '../../../../src/contract/calls.ts';
import { keepDraft, readDraft } from './useWrapUpCall.ts';
import { saveNotesSoon } from './savedNotes.ts';

/** What the agent notes during a call, from its first ring; its wrap-up goes on with that. */
export function CallNotes({ call }: { call: CallView }) {
  const { t } = useTranslation();
  const [notes, setNotes] = useState(() => readDraft(call).notes);

  function note(text: string): void {
    setNotes(text);
    keepDraft(call.id, { ...readDraft(call), notes: text });
    saveNotesSoon(call.id, text);
  }

  return (
    <Paper withBorder p="sm">
      <Textarea label={t('softphone.wrapUp.notes')} rows={2} resize="vertical" maxLength={10_000} value={notes} onChange={(event) => note(event.currentTarget.value)} />
    </Paper>
  );
}
