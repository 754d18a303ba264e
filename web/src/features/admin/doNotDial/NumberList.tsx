import { CloseButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DoNotDialEntry } from '../../../../../src/contract/doNotDial.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { useTyped } from '../../../shared/list/useTyped.ts';
import { PhoneCountry } from '../../../shared/phoneNumbers/lazyCountry.tsx';
import { PhoneNumber } from '../../../shared/phoneNumbers/PhoneNumber.tsx';
import { Confirm } from '../components/Confirm.tsx';
import { Section } from '../components/Page.tsx';
import { PagedList } from '../components/PagedList.tsx';
import { RowActions } from '../components/RowActions.tsx';
import { useAsked } from '../components/useAsked.ts';
import { doNotDialQuery, useRemoveNumber } from './doNotDialQueries.ts';

/** What is on the list, and what of it keeps a certain number from being dialed. */
export function NumberList() {
  const { t } = useTranslation();
  const { typed, setTyped, asked } = useTyped();
  const list = useInfiniteQuery(doNotDialQuery(asked));
  const removing = useRemoveNumber();
  const removal = useAsked<DoNotDialEntry | null>(null, removing);
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
      <PagedList
        query={list}
        none={
          <Text size="sm" c="dimmed">
            {t(asked === '' ? 'doNotDial.list.none' : 'doNotDial.list.noneSuch')}
          </Text>
        }
        more={t('doNotDial.list.more')}
      >
        {(entries) => (
          <Stack
            component="ul"
            gap={0}
            p={0}
            m={0}
            style={{ listStyle: 'none' }}
            aria-label={t('doNotDial.list.title')}
          >
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} onRemove={() => removal.ask(entry)} />
            ))}
          </Stack>
        )}
      </PagedList>
      <Confirm
        isOpen={removal.isOpen}
        title={t('doNotDial.list.removeTitle', { number: removal.about?.number ?? '' })}
        action={t('doNotDial.list.removeAction')}
        isBusy={removing.isPending}
        error={removing.error}
        onConfirm={() => removal.about !== null && removing.run(removal.about.id, { onSuccess: removal.close })}
        onClose={removal.close}
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
      <RowActions actions={[{ part: 'remove', text: t('doNotDial.list.remove', { number }), act: onRemove }]} />
    </Group>
  );
}
