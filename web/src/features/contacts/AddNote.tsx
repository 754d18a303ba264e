import { Button, Group, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { usePostOnce } from '../../lib/gateway/usePostOnce.ts';
import { useEditing } from '../crm/editing.ts';
import { timelineQuery } from './contactQueries.ts';

/** Writes a note on a contact; Ctrl+Enter adds it. What was typed stays until it is stored. */
export function AddNote({ contactId }: { contactId: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [text, setText] = useState('');
  useEditing(text.trim() !== '');
  const postOnce = usePostOnce();
  const adding = useAction(async (note: string) => {
    await postOnce('/api/crm/activities', { contact_id: contactId, text: note });
    await queries.invalidateQueries({ queryKey: timelineQuery(contactId).queryKey });
  });

  function add(event: FormEvent): void {
    event.preventDefault();
    if (text.trim() !== '') adding.run(text, { onSuccess: () => setText('') });
  }

  function press(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) add(event);
  }

  return (
    <form onSubmit={add}>
      <Textarea
        mt="xs"
        autosize
        minRows={1}
        maxRows={8}
        maxLength={10_000}
        aria-label={t('crmArea.timeline.newNote')}
        placeholder={t('crmArea.timeline.newNote')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={press}
      />
      {text.trim() !== '' && (
        <Group mt="xs" gap="xs">
          <Button type="submit" size="xs" loading={adding.isPending}>
            {t('crmArea.timeline.addNote')}
          </Button>
        </Group>
      )}
      {adding.error !== null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {messageOf(t, adding.error)}
        </Text>
      )}
    </form>
  );
}
