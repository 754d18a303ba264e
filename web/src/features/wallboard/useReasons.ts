import { useEffect, useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CodeWithLabel } from '../../../../src/contract/values.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import { allNotReadyReasons, reasonLabel, reasonText } from '../../shared/agentState.tsx';
import { companyQuery } from '../../shared/sharedQueries.ts';
import { useShown } from './useWallboard.ts';
import type { Wallboard } from './wallboard.ts';

/** Not Ready reasons of the company. */
export type Reasons = {
  /** What a supervisor may choose from. */
  choices: CodeWithLabel[];
  /** A reason in words, whoever gave it. */
  text: (code: string) => string;
  /** Whether there are words for the code. */
  isKnown: (code: string) => boolean;
};

/**
 * The company's reasons; until they are read, by their codes. Read anew when an agent has a reason that nobody knew of.
 * @param changes how often the company's settings may have changed; read anew with each
 */
export function useReasons(wallboard: Wallboard, changes: number): Reasons {
  const { t } = useTranslation();
  const { data, refetch } = useQuery(companyQuery);
  const reasons = useMemo(() => reasonsOf(t, data?.not_ready_reasons ?? []), [t, data]);
  const unknown = useShown(wallboard, ({ counts }) =>
    counts.reasons
      .map(({ reason }) => reason)
      .filter((code) => code !== '' && !reasons.isKnown(code))
      .toSorted()
      .join(' '),
  );
  useEffect(() => {
    if (changes > 0 || unknown !== '') void refetch();
  }, [refetch, changes, unknown]);
  return reasons;
}

function reasonsOf(t: Translate, own: readonly CodeWithLabel[]): Reasons {
  return {
    choices: allNotReadyReasons(t, own),
    text: (code) => reasonText(t, code, own),
    isKnown: (code) => reasonLabel(t, code, own) !== null,
  };
}
