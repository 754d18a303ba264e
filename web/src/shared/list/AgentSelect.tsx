import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { agentQuery } from '../sharedQueries.ts';
import { choiceOf, ColleagueSelect } from './ColleagueSelect.tsx';

/** One agent of the company; who is chosen may be no colleague any more, or a machine. */
export function AgentSelect(props: Omit<ComponentProps<typeof ColleagueSelect>, 'known' | 'without'>) {
  const { data: chosen } = useQuery({ ...agentQuery(props.value ?? ''), enabled: props.value !== null });
  return <ColleagueSelect known={chosen === undefined ? [] : [choiceOf(chosen)]} {...props} />;
}
