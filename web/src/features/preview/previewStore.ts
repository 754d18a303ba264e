import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { TaskView } from '../../../../src/contract/tasks.ts';

/** Whom the agent looks at before they are called: because it is due, or because the agent wants to. */
export type Previewed = { kind: 'task'; task: TaskView } | { kind: 'number'; phone: string; name: string | null };

type Preview = {
  /** Null: nobody is looked at now. */
  shown: Previewed | null;
  /** What comes after it, in its order. */
  queue: readonly TaskView[];
};

/** From here on the CRM area and the softphone have room beside each other; as in BesideCrm. */
const wide = () => window.matchMedia('(min-width: 64em)').matches;

const nothing: Preview = { shown: null, queue: [] };
const store = createStore<Preview>(() => nothing);

/** Shows who is to be called, at the softphone. @param queue what is to come after it */
export function openPreview(shown: Previewed, queue: readonly TaskView[] = []): void {
  store.setState({ shown, queue: queue.filter(({ phone_number }) => phone_number !== null) });
  if (!wide() && location.hash !== '') location.hash = '#/';
}

/** Nobody is looked at any more; what was to come stays to come. */
export function leaveShown(): void {
  store.setState({ shown: null });
}

export function endPreview(): void {
  store.setState(nothing);
}

export function usePreview(): Preview {
  return useStore(store);
}
