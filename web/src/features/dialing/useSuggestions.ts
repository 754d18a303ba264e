import type { CallSummary } from '../../../../src/contract/calls.ts';
import type { ColleagueList } from '../../../../src/contract/colleagues.ts';
import { api } from '../../lib/gateway/api.ts';
import { useRead } from '../../lib/gateway/useRead.ts';
import { isWords } from '../../shared/phoneNumbers/pastedNumber.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { type Suggestion, suggestionsFor } from './suggestions.ts';
import { useSpeedDials } from './speedDialStore.ts';
import { askedFor, fewestCharacters, pauseMs, useFoundContacts } from './useFoundContacts.ts';

/** Who may be meant by what the agent has typed so far; a source that cannot be read is left out. */
export function useSuggestions(typed: string): Suggestion[] {
  const { agentId } = useWorkplace();
  const sought = typed.trim();
  const isEnough = sought.length >= fewestCharacters;
  const isName = isWords(sought);
  const { data: dials } = useSpeedDials();
  const contacts = useFoundContacts(typed);
  const calls = useRead({
    key: isEnough ? sought : null,
    read: (signal) =>
      api.get<{ calls: CallSummary[] }>(
        '/api/calls',
        { agent_id: agentId, state: 'ended', q: sought, limit: askedFor },
        signal,
      ),
    pauseMs,
  });
  const colleagues = useRead({
    key: isEnough && isName ? sought : null,
    read: (signal) => api.get<ColleagueList>('/api/colleagues', { q: sought, limit: askedFor }, signal),
    pauseMs,
  });
  if (!isEnough) return [];
  return suggestionsFor(sought, {
    speedDials: [...(dials?.own ?? []), ...(dials?.shared ?? [])],
    contacts,
    calls: calls.data?.calls ?? [],
    colleagues: isName ? (colleagues.data?.colleagues.filter(({ id }) => id !== agentId) ?? []) : [],
  });
}
