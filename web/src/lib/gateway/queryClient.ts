import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './apiProblem.ts';

/** Reads when a page is opened, when it is asked to, and after changes; never by itself. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        refetchOnWindowFocus: false,
        refetchOnReconnect: true,
        networkMode: 'always',
        retry: (failures, error) => failures < 2 && !(error instanceof ApiProblem && error.status >= 400 && error.status < 500),
      },
      mutations: { networkMode: 'always' },
    },
  });
}
