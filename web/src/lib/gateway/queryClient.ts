import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './apiProblem.ts';

/**
 * Of the console and the demo, whose pages share what they have read.
 * Reads when a page is opened, when it is asked to, and after changes; never by itself.
 */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        refetchOnWindowFocus: false,
        refetchOnReconnect: true,
        networkMode: 'always',
        retry: (failures, error) =>
          failures < 2 && !(error instanceof ApiProblem && error.status >= 400 && error.status < 500),
      },
    },
  });
}
