// @vitest-environment happy-dom
import {
  type QueryClient,
  QueryClientProvider,
  QueryObserver,
  useQuery,
  type UseQueryOptions,
} from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { integrationQuery } from '../../../../web/src/features/admin/connect/integrationQueries.ts';
import { deliveryQuery } from '../../../../web/src/features/admin/deliveries/deliveryQueries.ts';
import { telephonyQuery } from '../../../../web/src/features/admin/telephony/telephonyQueries.ts';
import { ApiProblem } from '../../../../web/src/lib/gateway/apiProblem.ts';
import { makeQueryClient } from '../../../../web/src/lib/gateway/queryClient.ts';
import { agentsQuery, companyQuery } from '../../../../web/src/shared/sharedQueries.ts';
import { show } from '../../../support/components/page.tsx';

function newClient(): QueryClient {
  const queries = makeQueryClient();
  onTestFinished(() => queries.clear());
  return queries;
}

afterEach(() => void vi.useRealTimers());

describe('what a page of the console reads', () => {
  it.each<[string, object]>([
    ['agents', agentsQuery],
    ['company', companyQuery],
    ['integration', integrationQuery],
    ['delivery', deliveryQuery('one')],
    ['telephony', telephonyQuery],
  ])('is aborted when the page is left: %s', async (_name, options) => {
    const signals: (AbortSignal | null | undefined)[] = [];
    const asked = vi.spyOn(globalThis, 'fetch').mockImplementation((_path, init) => {
      signals.push(init?.signal);
      return new Promise(() => {});
    });
    onTestFinished(() => asked.mockRestore());
    function Page() {
      return <p>{useQuery(options as UseQueryOptions).isPending ? 'waiting' : ''}</p>;
    }
    const page = show(
      <QueryClientProvider client={newClient()}>
        <Page />
      </QueryClientProvider>,
    );
    await waitFor(() => expect(signals.map((signal) => signal?.aborted)).toEqual([false]));
    page.unmount();
    expect(signals[0]?.aborted).toBe(true);
  });

  it.each([
    ['three times where the gateway cannot answer', new ApiProblem(503, { code: 'dependency_unavailable' }), 3],
    ['three times where nobody answers', new ApiProblem(0, { code: 'unreachable' }), 3],
    ['once where it is refused', new ApiProblem(403, { code: 'role_required' }), 1],
  ])('is asked for %s', async (_when, problem, times) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let asked = 0;
    const read = () => {
      asked += 1;
      return Promise.reject(problem);
    };
    const observer = new QueryObserver(newClient(), { queryKey: ['any'], queryFn: read });
    const end = observer.subscribe(() => {});
    await vi.advanceTimersByTimeAsync(60_000);
    expect([asked, observer.getCurrentResult().error]).toEqual([times, problem]);
    end();
  });
});
