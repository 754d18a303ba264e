import { Button, CloseButton, Group, Paper, Text, TextInput, Title } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallSummary } from '../../../../src/contract/calls.ts';
import type { Read } from '../../lib/gateway/useRead.ts';
import type { CallPage } from '../calls/useRecentCalls.ts';
import { dialBlocker } from '../calls/callWords.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { MissedCalls } from './MissedCalls.tsx';
import { RecentCall } from './RecentCall.tsx';
import classes from './RecentCalls.module.css';
import { callFilters, type CallsFilter, useCallPages } from './useCallPages.ts';

type Props = { recent: Read<CallPage>; onWrapUp: (call: CallSummary) => void };

/** The calls before, newest first: all, or those that fit; further ones as they are scrolled to. */
export function RecentCalls({ recent, onWrapUp }: Props) {
  const { t } = useTranslation();
  const { view } = useWorkplace();
  const [filter, setFilter] = useState<CallsFilter>('all');
  const [words, setWords] = useState('');
  const { calls, error, hasMore, isFetching, more, refetch } = useCallPages(recent, filter, words);
  const state = view.agent?.state;
  const canDial = dialBlocker(t, view) === null;
  const isAll = filter === 'all' && words.trim() === '';
  return (
    <Paper component="section" withBorder p="sm" aria-label={t('softphone.recent.title')}>
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h3">
          {t('softphone.recent.title')}
        </Title>
        <TextInput
          size="xs"
          flex="1 1 10rem"
          maw="16rem"
          type="search"
          aria-label={t('dialing.recent.search')}
          placeholder={t('dialing.recent.searchHint')}
          maxLength={200}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
          rightSection={
            words === '' ? null : (
              <CloseButton size="xs" aria-label={t('dialing.recent.clear')} onClick={() => setWords('')} />
            )
          }
        />
      </Group>
      <Group component="fieldset" gap={4} mt={6} p={0} m={0} bd={0} miw={0} aria-label={t('dialing.recent.filters')}>
        {callFilters.map((each) =>
          each === 'missed' ? (
            <MissedCalls
              key={each}
              shown={filter === 'missed' && words.trim() === '' ? calls : undefined}
              isOnly={filter === 'missed'}
              onOnly={(isOnly) => setFilter(isOnly ? 'missed' : 'all')}
            />
          ) : (
            <Button
              key={each}
              size="compact-xs"
              variant={filter === each ? 'filled' : 'light'}
              color="gray"
              aria-pressed={filter === each}
              onClick={() => setFilter(each)}
            >
              {t(`dialing.recent.${each}`)}
            </Button>
          ),
        )}
      </Group>
      {error !== null && (
        <Group gap="xs" aria-live="polite">
          <Text size="sm">{t('dialing.recent.failed')}</Text>
          <Button size="compact-xs" variant="default" loading={isFetching} onClick={refetch}>
            {t('shared.boundary.again')}
          </Button>
        </Group>
      )}
      {calls === undefined && error === null && <Text size="sm">{t('dialing.recent.reading')}</Text>}
      {calls?.length === 0 && <Text size="sm">{t(isAll ? 'dialing.recent.none' : 'dialing.recent.noneSuch')}</Text>}
      {calls !== undefined && calls.length > 0 && (
        <ol className={classes.list} aria-busy={isFetching}>
          {calls.map((call) => (
            <RecentCall
              key={call.id}
              call={call}
              canDial={canDial}
              canWrapUp={state === 'ready' || state === 'not_ready'}
              onWrapUp={() => onWrapUp(call)}
            />
          ))}
        </ol>
      )}
      {hasMore && <More isReading={more.isPending} hasFailed={more.error !== null} onMore={() => more.run()} />}
    </Paper>
  );
}

/** Reads on when it comes into sight; by a press as well, and after it has failed by a press alone. */
function More({ isReading, hasFailed, onMore }: { isReading: boolean; hasFailed: boolean; onMore: () => void }) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  const readOn = useEffectEvent(() => {
    if (!isReading && !hasFailed) onMore();
  });
  useEffect(() => {
    if (button.current === null || typeof IntersectionObserver === 'undefined' || isReading) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && readOn(),
    );
    observer.observe(button.current);
    return () => observer.disconnect();
    // Watched anew after each page: one that is still in sight is to be read on at once.
  }, [isReading]);
  return (
    <Button ref={button} size="compact-xs" variant="subtle" mt="xs" loading={isReading} onClick={onMore}>
      {t('dialing.recent.more')}
    </Button>
  );
}
