import { Select, type SelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { agentQuery, colleaguesQuery } from '../sharedQueries.ts';
import { useTyped } from './useTyped.ts';

type Props = Omit<SelectProps, 'data' | 'filter' | 'onChange' | 'onSearchChange' | 'searchValue' | 'value'> & {
  /** An agent's id; null: nobody. */
  value: string | null;
  onChange: (id: string | null) => void;
};

/** One agent of the company, found by name or code as they are typed. */
export function AgentSelect({ value, onChange, ...look }: Props) {
  const { typed, setTyped, asked } = useTyped();
  const { data: found = [] } = useQuery(colleaguesQuery(asked));
  const { data: chosen } = useQuery({ ...agentQuery(value ?? ''), enabled: value !== null });
  const known = [
    ...(chosen === undefined || value === null ? [] : [chosen]),
    ...found.filter(({ id }) => id !== value),
  ];
  return (
    <Select
      {...look}
      searchable
      data={known.map(({ id, name, agent_code: code }) => ({ value: id, label: `${name} (${code})` }))}
      // What the gateway found is what fits.
      filter={({ options }) => options}
      value={value}
      onChange={onChange}
      searchValue={typed}
      onSearchChange={setTyped}
    />
  );
}
