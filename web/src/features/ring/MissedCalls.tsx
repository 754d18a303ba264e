import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isMissed } from '../../../../src/contract/callRules.ts';
import type { CallSummary } from '../../../../src/contract/calls.ts';
import { courseOf } from '../calls/callWords.ts';

type Props = { agentId: string; calls: readonly CallSummary[]; isOnly: boolean; onOnly: (isOnly: boolean) => void };

/** How many calls were missed since the agent looked last; a press shows these alone, and counts as looking. Nothing where there are none. */
export function MissedCalls({ agentId, calls, isOnly, onOnly }: Props) {
  const { t } = useTranslation();
  const key = `readyline.missed-seen.${agentId}`;
  const [seen, setSeen] = useState(() => localStorage.getItem(key) ?? '');
  const missed = calls.filter((call) => isMissed(courseOf(call)));
  // ISO 8601 in UTC: as texts they are in the order of time.
  const unseen = missed.filter((call) => call.created_at > seen).length;
  const [latest] = missed;
  if (latest === undefined) return null;

  function press(): void {
    const { created_at: at } = latest ?? { created_at: seen };
    localStorage.setItem(key, at);
    setSeen(at);
    onOnly(!isOnly);
  }

  return (
    <Button size="compact-xs" variant={isOnly ? 'filled' : 'light'} color={unseen > 0 ? 'red' : 'gray'} aria-pressed={isOnly} onClick={press}>
      {unseen > 0 ? t('ring.missed', { count: unseen }) : t('ring.onlyMissed')}
    </Button>
  );
}
