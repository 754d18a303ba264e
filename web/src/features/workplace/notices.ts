import { createStore, type StoreApi } from 'zustand/vanilla';
import type { NoticeMessage, WorkplaceNotice } from './workplace.ts';

type Notices = StoreApi<{ notice: WorkplaceNotice | null }> & {
  tell: (kind: WorkplaceNotice['kind'], message: NoticeMessage) => void;
  /** @param id of the notice that was read; a later one stays */
  dismiss: (id: number) => void;
  /** Another call has begun: what was told of one before does not stand over it. */
  forgetCalls: () => void;
};

/** What is told of one call, and of no other. */
const ofOneCall: ReadonlySet<NoticeMessage['code']> = new Set<NoticeMessage['code']>([
  ...([
    'move',
    'not_fetched',
    'lost',
    'goes_on_unrecorded',
    'not_taken_over',
    'connection_lost',
    'connection_lost_ringing',
  ] as const),
  ...(['tones_unsent', 'transfer_unanswered', 'transfer_refused', 'consult_over', 'consult_unanswered'] as const),
]);

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
    forgetCalls: () => {
      const { notice } = store.getState();
      if (notice !== null && ofOneCall.has(notice.message.code)) store.setState({ notice: null });
    },
  };
}
