import { type ReactNode, useEffect, useRef, useState } from 'react';
import { EmptyState, Stack, Text } from '@mantine/core';
import { IconUsersGroup } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DuplicateList, DuplicateView } from '../../../../../src/contract/duplicates.ts';
import { MoreButton } from '../../../shared/list/MoreButton.tsx';
import { Loaded, Problem } from '../components/Loaded.tsx';
import { Page, ReloadButton } from '../components/Page.tsx';
import { toast } from '../components/toast.ts';
import { duplicatesQuery, isComparing } from './duplicateQueries.ts';
import { Suggestion } from './Suggestion.tsx';

/** Contacts that are probably one person: to be merged, or said to be two. */
export function DuplicatesPage() {
  const { t } = useTranslation();
  const query = useInfiniteQuery(duplicatesQuery);
  return (
    <Page title={t('admin.pages.duplicates')} actions={<ReloadButton query={query} />} isNarrow>
      <Text size="sm">{t('duplicates.note')}</Text>
      <Loaded query={query}>
        {(pages) => (
          <Found duplicates={onceEach(pages)} isComparing={isComparing(pages)}>
            <Problem error={query.isFetchNextPageError ? query.error : null} />
            <MoreButton query={query} text={t('duplicates.more')} isWide />
          </Found>
        )}
      </Loaded>
    </Page>
  );
}

/**
 * A pair of which more speaks now than when its page was read stands on two of them: it is shown where it came first.
 */
function onceEach(pages: readonly DuplicateList[]): DuplicateView[] {
  return [
    ...new Map(pages.flatMap(({ duplicates }) => duplicates).map((duplicate) => [duplicate.id, duplicate])).values(),
  ];
}

function Found({
  duplicates,
  isComparing: isMoreToCome,
  children,
}: {
  duplicates: readonly DuplicateView[];
  isComparing: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      {isMoreToCome && (
        <Text size="sm" c="dimmed" component="output">
          {t('duplicates.comparing')}
        </Text>
      )}
      {duplicates.length > 0 ? (
        <Suggestions duplicates={duplicates} />
      ) : (
        !isMoreToCome && (
          <EmptyState
            icon={<IconUsersGroup />}
            title={t('duplicates.none.title')}
            description={t('duplicates.none.text')}
          />
        )
      )}
      {children}
    </Stack>
  );
}

/** One after the other: when one is done with, the next is open and has the focus. */
function Suggestions({ duplicates }: { duplicates: readonly DuplicateView[] }) {
  const { t } = useTranslation();
  /** The open one; null: none; undefined: nobody has chosen, so the first. */
  const [openId, setOpenId] = useState<string | null>();
  const open =
    openId === undefined || (openId !== null && duplicates.every(({ id }) => id !== openId))
      ? duplicates[0]?.id
      : openId;
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
      onMerged={(name) =>
        goOn(duplicate.id, name === null ? t('duplicates.merged') : t('duplicates.mergedAs', { name }))
      }
      onDismissed={() => goOn(duplicate.id, t('duplicates.dismissed'))}
    />
  ));
}
