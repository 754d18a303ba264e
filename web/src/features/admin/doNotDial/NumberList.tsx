import { ActionIcon, Button, CloseButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DoNotDialEntry } from '../../../../../src/contract/doNotDial.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { PhoneCountry } from '../../../shared/phoneNumbers/lazyCountry.tsx';
import { PhoneNumber } from '../../../shared/phoneNumbers/PhoneNumber.tsx';
import { Confirm } from '../components/Confirm.tsx';
import { Problem, Waiting } from '../components/Loaded.tsx';
import { Section } from '../components/Page.tsx';
import { doNotDialQuery, useRemoveNumber } from './doNotDialQueries.ts';

/** A pause of this length is the end of a burst of typing. Milliseconds. */
const typingPauseMs = 250;

/** What is on the list, and what of it keeps a certain number from being dialed. */
export function NumberList() {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [sought] = useDebouncedValue(typed.trim(), typingPauseMs);
  const list = useInfiniteQuery(doNotDialQuery(sought));
  const removing = useRemoveNumber();
  const [asked, setAsked] = useState<DoNotDialEntry | null>(null);
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? [];

  function ask(entry: DoNotDialEntry): void {
    removing.reset();
    setAsked(entry);
  }

  return (
    <Section title={t('doNotDial.list.title')}>
      <TextInput
        aria-label={t('doNotDial.list.search')}
        placeholder={t('doNotDial.list.searchHint')}
        maxLength={64}
        maw={320}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        rightSection={
          typed === '' ? null : (
            <CloseButton size="sm" aria-label={t('doNotDial.list.clear')} onClick={() => setTyped('')} />
          )
        }
      />
      {list.isPending && <Waiting />}
      <Problem error={list.error} />
      {list.data !== undefined && entries.length === 0 && (
        <Text size="sm" c="dimmed">
          {t(sought === '' ? 'doNotDial.list.none' : 'doNotDial.list.noneSuch')}
        </Text>
      )}
      <Stack component="ul" gap={0} p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('doNotDial.list.title')}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} onRemove={() => ask(entry)} />
        ))}
      </Stack>
      {list.hasNextPage && (
        <Button
          variant="default"
          size="xs"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
          style={{ alignSelf: 'center' }}
        >
          {t('doNotDial.list.more')}
        </Button>
      )}
      <Confirm
        isOpen={asked !== null}
        title={t('doNotDial.list.removeTitle', { number: asked?.number ?? '' })}
        action={t('doNotDial.list.removeAction')}
        isBusy={removing.isPending}
        error={removing.error}
        onConfirm={() => asked !== null && removing.run(asked.id, { onSuccess: () => setAsked(null) })}
        onClose={() => setAsked(null)}
      >
        {t('doNotDial.list.removeText')}
      </Confirm>
    </Section>
  );
}

function Entry({
  entry: { number, note, added_by: by, created_at: at },
  onRemove,
}: {
  entry: DoNotDialEntry;
  onRemove: () => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const isBeginning = number.endsWith('*');
  const time = format.moment(at);
  return (
    <Group component="li" justify="space-between" gap="xs" py={6} wrap="nowrap">
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={600}>
          <PhoneNumber number={number} /> <PhoneCountry number={number.replace('*', '')} />{' '}
          {isBeginning && t('doNotDial.list.begins')}
        </Text>
        <Text size="xs" c="dimmed">
          {[
            note,
            by === null ? t('doNotDial.list.byProgram', { time }) : t('doNotDial.list.by', { time, name: by.name }),
          ]
            .filter((text) => text !== null)
            .join(' · ')}
        </Text>
      </div>
      <ActionIcon variant="subtle" color="gray" aria-label={t('doNotDial.list.remove', { number })} onClick={onRemove}>
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  );
}
