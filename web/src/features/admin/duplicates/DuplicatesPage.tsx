import { useEffect, useRef, useState } from 'react';
import { Button, EmptyState, Stack, Text } from '@mantine/core';
import { IconUsersGroup } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DuplicateView } from '../../../../../src/contract/duplicates.ts';
import { Loaded } from '../components/Loaded.tsx';
import { Page, ReloadButton } from '../components/Page.tsx';
import { toast } from '../components/toast.ts';
import { duplicatesQuery } from './duplicateQueries.ts';
import { Suggestion } from './Suggestion.tsx';

/** Shown at first, and all that one answer may hold. */
const [first, most] = [25, 100];

/** Contacts that are probably one person: to be merged, or said to be two. */
export function DuplicatesPage() {
  const { t } = useTranslation();
  const [limit, setLimit] = useState(first);
  const query = useQuery({ ...duplicatesQuery(limit), placeholderData: keepPreviousData });
  return (
    <Page title={t('admin.pages.duplicates')} actions={<ReloadButton query={query} />} isNarrow>
      <Text size="sm">{t('duplicates.note')}</Text>
      <Loaded query={query}>
        {({ duplicates, comparing, next_cursor: next }) => (
          <Stack gap="xs">
            {comparing && (
              <Text size="sm" c="dimmed" component="output">
                {t('duplicates.comparing')}
              </Text>
            )}
            {duplicates.length > 0 ? (
              <Suggestions duplicates={duplicates} />
            ) : (
              !comparing && <EmptyState icon={<IconUsersGroup />} title={t('duplicates.none.title')} description={t('duplicates.none.text')} />
            )}
            {next !== null && limit < most && (
              <Button variant="default" size="xs" loading={query.isFetching} onClick={() => setLimit(most)}>
                {t('duplicates.more')}
              </Button>
            )}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

/** One after the other: when one is done with, the next is open and has the focus. */
function Suggestions({ duplicates }: { duplicates: readonly DuplicateView[] }) {
  const { t } = useTranslation();
  /** The open one; null: none; undefined: nobody has chosen, so the first. */
  const [openId, setOpenId] = useState<string | null>();
  const open = openId === undefined || (openId !== null && duplicates.every(({ id }) => id !== openId)) ? duplicates[0]?.id : openId;
  const button = useRef<HTMLButtonElement>(null);
  const followsUp = useRef(false);
  useEffect(() => {
    if (followsUp.current) button.current?.focus();
    followsUp.current = false;
  }, [open, duplicates]);

  function goOn(from: string, message: string): void {
    toast(message);
    const index = duplicates.findIndex(({ id }) => id === from);
    setOpenId((duplicates[index + 1] ?? duplicates[0])?.id);
    followsUp.current = true;
  }

  return duplicates.map((duplicate) => (
    <Suggestion
      key={duplicate.id}
      duplicate={duplicate}
      isOpen={duplicate.id === open}
      buttonRef={duplicate.id === open ? button : undefined}
      onToggle={() => setOpenId(duplicate.id === open ? null : duplicate.id)}
      onMerged={(name) => goOn(duplicate.id, name === null ? t('duplicates.merged') : t('duplicates.mergedAs', { name }))}
      onDismissed={() => goOn(duplicate.id, t('duplicates.dismissed'))}
    />
  ));
}
