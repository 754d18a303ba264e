import type { CallStore } from '../../ports/calls.ts';
import type { Wall } from '../../ports/wall.ts';
import { liveCallOf } from '../views/liveCall.ts';

/** The store, which shows the supervisors every change that it has made. */
export function watchedCalls(store: CallStore, wall: Wall): CallStore {
  return {
    ...store,
    async create(call, events, creation) {
      const created = await store.create(call, events, creation);
      if (created === 'created') wall.callChanged(call.companyId, liveCallOf(call));
      return created;
    },
    async commit(next, events) {
      const committed = await store.commit(next, events);
      if (committed === 'committed') wall.callChanged(next.companyId, liveCallOf(next));
      return committed;
    },
  };
}
