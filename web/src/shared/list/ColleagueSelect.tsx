import '../styles/choices.ts';
import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ColleagueList } from '../../../../src/contract/colleagues.ts';
import { api } from '../../lib/gateway/api.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { useRead } from '../../lib/gateway/useRead.ts';
import { mentions } from '../foldText.ts';
import { typingPauseMs } from './useTyped.ts';

/** So many are offered; the gateway finds no more at once. */
const listed = 50;

/** A person, or who else may be chosen: a team, anyone. */
export type Choice = { value: string; label: string };

type Props = Omit<
  SelectProps,
  'data' | 'filter' | 'onChange' | 'onDropdownOpen' | 'onSearchChange' | 'searchable' | 'searchValue' | 'value'
> & {
  /** What is chosen; null: nothing. */
  value: string | null;
  onChange: (value: string | null) => void;
  /** Who is offered before those found: whoever is chosen at first, and what is no colleague. */
  known?: readonly Choice[];
  /** Whether nobody else is offered. */
  isKnownOnly?: boolean;
  /** The id of a colleague who is not offered. */
  without?: string | null;
};

/** One of the company's people, found by name or code as they are typed, on any page. */
export function ColleagueSelect({ value, onChange, known = [], isKnownOnly = false, without = null, ...look }: Props) {
  const { t } = useTranslation();
  const [picked, setPicked] = useState<Choice | undefined>();
  const chosen = value === null ? undefined : [picked, ...known].find((one) => one?.value === value);
  const [typed, setTyped] = useState(chosen?.label ?? '');
  const [isOpened, setOpened] = useState(false);
  // The text of the chosen one stands in the field, and looks for nobody else.
  const wanted = typed === chosen?.label ? '' : typed.trim();
  const [asked] = useDebouncedValue(wanted, typingPauseMs);
  const { data, error } = useRead({
    key: isOpened && !isKnownOnly ? 'colleagues' : null,
    version: asked,
    read: (signal) => api.get<ColleagueList>('/api/colleagues', { q: asked, limit: listed }, signal),
  });
  const choices = [
    ...(chosen === undefined ? [] : [chosen]),
    ...known.filter(({ label }) => mentions([label], wanted)).slice(0, listed),
    ...(data?.colleagues ?? []).filter(({ id }) => id !== without).map(choiceOf),
  ].filter((one, at, all) => all.findIndex((other) => other.value === one.value) === at);
  return (
    <Select
      errorProps={{ role: 'alert' }}
      {...look}
      searchable
      data={choices}
      // What is offered is what fits.
      filter={({ options }) => options}
      value={chosen?.value ?? null}
      onChange={(id) => {
        setPicked(choices.find((one) => one.value === id));
        onChange(id);
      }}
      onDropdownOpen={() => setOpened(true)}
      searchValue={typed}
      onSearchChange={setTyped}
      // Before anybody was looked for, it is not known.
      nothingFoundMessage={data === undefined ? undefined : look.nothingFoundMessage}
      error={look.error ?? (error === null ? undefined : messageOf(t, error))}
    />
  );
}

/** An agent as they are chosen. */
export function choiceOf({ id, name, agent_code: code }: { id: string; name: string; agent_code: string }): Choice {
  return { value: id, label: `${name} (${code})` };
}
