import type { CallStore } from '../../ports/calls.ts';
import type { Wallboard } from '../../ports/wallboard.ts';
import { liveCallOf } from '../views/liveViews.ts';

/** The store, which shows the supervisors every change that it has made. */
export function watchedCalls(store: CallStore, wallboard: Wallboard): CallStore {
  return {
    ...store,
    async create(call, events, creation) {
      const created = await store.create(call, events, creation);
      if (created === 'created') wallboard.callChanged(call.companyId, liveCallOf(call));
      return created;
    },
    async commit(next, events) {
      const committed = await store.commit(next, events);
      if (committed === 'committed') wallboard.callChanged(next.companyId, liveCallOf(next));
      return committed;
    },
  };
}
