import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { CompanyView } from '../../../src/contract/companies.ts';
import type { CodeWithLabel } from '../../../src/contract/values.ts';
import { standardReasons } from '../../../src/contract/vocabulary.ts';
import { api } from '../shared/api.ts';

/** Not Ready reasons of the company. */
export type Reasons = {
  /** What a supervisor may choose from. */
  choices: CodeWithLabel[];
  /** A reason in words, whoever gave it. */
  text: (code: string) => string;
};

/** What the gateway gives as a reason, as somebody else reads it. */
const systemReasons: Record<string, string> = {
  login: 'Just logged in',
  delivery_failed: 'Softphone did not answer',
  rejected: 'Declined a call',
  no_answer: 'Did not answer a call',
  connection_lost: 'Connection lost',
  supervisor: 'Set by a supervisor',
};

/** The company's reasons, read once; until then by their codes. */
export function useReasons(): Reasons {
  const { data } = useQuery({
    queryKey: ['live', 'company'],
    queryFn: () => api.get<CompanyView>('/api/company'),
    staleTime: Infinity,
  });
  return useMemo(() => reasonsOf(data?.not_ready_reasons ?? []), [data]);
}

function reasonsOf(own: readonly CodeWithLabel[]): Reasons {
  const standard = standardReasons.map((code) => ({ code, label: sentence(code) }));
  const choices = [...standard.filter(({ code }) => !own.some((reason) => reason.code === code)), ...own];
  const labels = new Map(choices.map(({ code, label }) => [code, label]));
  return { choices, text: (code) => labels.get(code) ?? systemReasons[code] ?? sentence(code) };
}

function sentence(code: string): string {
  const words = code.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
