import { Button } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallSummary } from '../../../../src/contract/calls.ts';
import type { MissedCalls as Missed } from '../../../../src/contract/dialing.ts';
import { countMissedTo } from '../../../../src/contract/dialingLimits.ts';
import { api } from '../../lib/gateway/api.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { useRead } from '../../lib/gateway/useRead.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import { useLastEnd } from '../calls/useRecentCalls.ts';
import { showOnTab } from '../ring/tabIcon.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

type Props = {
  /** The missed calls, while they alone are shown; undefined: they are not, or not read yet. */
  shown: readonly CallSummary[] | undefined;
  isOnly: boolean;
  onOnly: (isOnly: boolean) => void;
};

/**
 * How many calls were missed since the agent looked last, on whichever device;
 * a press shows these alone, and what is shown has been looked at.
 */
export function MissedCalls({ shown, isOnly, onOnly }: Props) {
  const { t } = useTranslation();
  const { agentId, view } = useWorkplace();
  const { data, refetch } = useRead({
    key: view.line === 'connected' ? agentId : null,
    version: useLastEnd(),
    read: (signal) => api.get<Missed>('/api/me/missed-calls', undefined, signal),
  });
  const { run: see } = useAction(async (until: string) => {
    await api.put('/api/me/missed-calls', { seen_until: until });
    refetch();
  });
  const count = data?.count ?? 0;
  const latest = latestEnd(shown ?? []);
  const seeLatest = useEffectEvent(() => {
    if (count > 0 && latest !== null) see(latest);
  });
  useEffect(() => seeLatest(), [count, latest]);
  useEffect(() => {
    showOnApp(count);
    showOnTab({ hasMissed: count > 0 });
  }, [count]);
  // Signed out, or another page is the softphone: nobody is told of somebody else's calls.
  useEffect(
    () => () => {
      showOnApp(0);
      showOnTab({ hasMissed: false });
    },
    [],
  );
  const text = missedText(t, count);
  return (
    <Button
      size="compact-xs"
      variant={isOnly ? 'filled' : 'light'}
      color={count > 0 ? 'red' : 'gray'}
      aria-pressed={isOnly}
      onClick={() => onOnly(!isOnly)}
    >
      {text}
    </Button>
  );
}

/** When the last of them ended; ISO 8601 in UTC is as text in the order of time. */
function latestEnd(calls: readonly CallSummary[]): string | null {
  return calls.reduce<string | null>(
    (latest, { ended_at: at }) => (at !== null && (latest === null || at > latest) ? at : latest),
    null,
  );
}

/** On the icon of the installed app, where there is one. */
function showOnApp(count: number): void {
  const { setAppBadge, clearAppBadge } = navigator as {
    setAppBadge?: (count: number) => Promise<void>;
    clearAppBadge?: () => Promise<void>;
  };
  (count > 0 ? setAppBadge?.call(navigator, count) : clearAppBadge?.call(navigator))?.catch(() => {});
}

function missedText(t: Translate, count: number): string {
  if (count === 0) return t('dialing.missed.show');
  return count >= countMissedTo
    ? t('dialing.missed.many', { count: countMissedTo - 1 })
    : t('dialing.missed.count', { count });
}
