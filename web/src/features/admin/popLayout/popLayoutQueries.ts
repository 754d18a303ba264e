import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { CallList, CallView } from '../../../../../src/contract/calls.ts';
import type { PopField, PopLayout } from '../../../../../src/contract/popLayout.ts';
import type { ScreenPop } from '../../../../../src/contract/screenPops.ts';
import { api } from '../../../lib/gateway/api.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';
import type { ShownPop } from '../../../shared/customerDetails/shownPop.ts';
import { type ExactAnswer, readExactAnswer } from '../../../shared/customerDetails/exactAnswer.ts';

const address = '/api/integrations/pop-layout';

/** How screen pops show their fields. */
export const popLayoutQuery = queryOptions({
  queryKey: ['pop-layout'],
  queryFn: ({ signal }) => api.get<PopLayout>(address, {}, signal),
});

/** Saves them, where the version is still the one that was read; in either case the page knows what is saved now. */
export function useSavePopLayout() {
  const queries = useQueryClient();
  return useAction(async (layout: { fields: PopField[]; version: number }) => {
    try {
      const saved = await api.put<PopLayout>(address, layout);
      queries.setQueryData(popLayoutQuery.queryKey, saved);
      return saved;
    } catch (error) {
      await queries.invalidateQueries({ queryKey: popLayoutQuery.queryKey });
      throw error;
    }
  });
}

/** The latest calls, whose customers may be looked at. */
export const latestCallsQuery = queryOptions({
  queryKey: ['pop-layout', 'calls'],
  queryFn: async ({ signal }) =>
    (await api.get<CallList>('/api/calls', { limit: 25 }, signal)).calls.filter(({ phone }) => phone !== null),
});

/** Whom the preview shows: the customer of a call as it popped, or whoever has a number now. */
export type Previewed = { call: string } | { phone: string };

/** What is known of them. */
export function previewQuery(of: Previewed | null) {
  return queryOptions({
    queryKey: ['pop-layout', 'preview', of],
    enabled: of !== null,
    queryFn: ({ signal }) =>
      of === null || 'phone' in of ? readNumber(of?.phone ?? '', signal) : readCall(of.call, signal),
  });
}

async function readCall(id: string, signal: AbortSignal): Promise<ShownPop> {
  const { phone, caller, direction, screen_pop, external_id, metadata, exact } = await api.get<ExactAnswer<CallView>>(
    `/api/calls/${id}`,
    {},
    signal,
    readExactAnswer,
  );
  return {
    phone_number: phone,
    direction,
    screen_pop: screen_pop ?? {},
    ...(caller === null ? {} : { caller }),
    ...(external_id === null ? {} : { external_id }),
    ...(metadata === null ? {} : { metadata }),
    ...(exact === undefined ? {} : { exact }),
  };
}

async function readNumber(phone: string, signal: AbortSignal): Promise<ShownPop> {
  const { screen_pop, exact } = await api.get<ExactAnswer<{ screen_pop: ScreenPop }>>(
    '/api/integrations/lookup',
    { phone },
    signal,
    readExactAnswer,
  );
  return { phone_number: screen_pop.phone ?? phone, screen_pop, ...(exact === undefined ? {} : { exact }) };
}
