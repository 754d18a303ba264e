import { createStore, type StoreApi } from 'zustand/vanilla';
import type { NoticeMessage, WorkplaceNotice } from './workplace.ts';

type Notices = StoreApi<{ notice: WorkplaceNotice | null }> & {
  tell: (kind: WorkplaceNotice['kind'], message: NoticeMessage) => void;
  /** @param id of the notice that was read; a later one stays */
  dismiss: (id: number) => void;
};

/** What the agent is told beside the call and the state: the latest, until it is dismissed. */
export function createNotices(): Notices {
  const store = createStore<{ notice: WorkplaceNotice | null }>(() => ({ notice: null }));
  let told = 0;
  return {
    ...store,
    tell: (kind, message) => store.setState({ notice: { id: (told += 1), kind, message } }),
    dismiss: (id) => {
      if (store.getState().notice?.id === id) store.setState({ notice: null });
    },
  };
}
