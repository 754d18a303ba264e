import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { DemoCustomer, DemoStart } from '../../../../src/contract/demo.ts';
import { api } from '../../lib/gateway/api.ts';

export type DemoStarting = {
  /** Null: not answered yet, or refused. */
  start: DemoStart | null;
  /** What was thrown; null: nothing. */
  problem: unknown;
  retry: () => void;
  /** One that was pushed since; above the others, and once. */
  addCustomer: (customer: DemoCustomer) => void;
};

/** Makes the company ready for the demo, once per visit. @param token of the admin who is signed in */
export function useDemoStart(token: string): DemoStarting {
  const queries = useQueryClient();
  const queryKey = ['demo', 'start', token];
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: () => api.post<DemoStart>('/demo/start'),
    // The answer may hold a key that is shown once: no other answer of the same visit takes its place.
    staleTime: Infinity,
    gcTime: Infinity,
    refetchOnReconnect: false,
    retry: false,
  });

  function addCustomer(customer: DemoCustomer): void {
    queries.setQueryData<DemoStart>(queryKey, (before) => {
      if (before === undefined) return undefined;
      const others = before.customers.filter(({ phone_number }) => phone_number !== customer.phone_number);
      return { ...before, customers: [customer, ...others] };
    });
  }

  return { start: data ?? null, problem: isFetching ? null : error, retry: () => void refetch(), addCustomer };
}
