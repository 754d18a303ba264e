import { useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { SpeedDial, SpeedDials } from '../../../../src/contract/dialing.ts';
import { api } from '../../lib/gateway/api.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

type Kept = { of: string | null; data: SpeedDials | null; hasFailed: boolean };
const none: Kept = { of: null, data: null, hasFailed: false };

/** One for the page: the list beside the softphone and what is suggested while somebody types show the same. */
const store = createStore<Kept>(() => none);

/**
 * Whom the agent dials by one press, read when the softphone opens, is connected again,
 * or an admin has changed the company's.
 */
export function useSpeedDials(): { data: SpeedDials | null; hasFailed: boolean } {
  const { agentId, view } = useWorkplace();
  const { data, hasFailed, of } = useStore(store);
  const { line, settings } = view;
  useEffect(() => {
    if (line === 'connected') void read(agentId);
  }, [agentId, line, settings]);
  return of === agentId ? { data, hasFailed } : none;
}

async function read(agentId: string): Promise<void> {
  try {
    store.setState({ of: agentId, data: await api.get<SpeedDials>('/api/me/speed-dials'), hasFailed: false });
  } catch {
    // What was read before stays.
    store.setState((before) => ({ of: agentId, data: before.of === agentId ? before.data : null, hasFailed: true }));
  }
}

/** Replaces the agent's own list. Throws ApiProblem; one that another device has changed meanwhile is read anew. */
export async function saveSpeedDials(agentId: string, entries: SpeedDial[], version: number): Promise<void> {
  try {
    store.setState({
      of: agentId,
      data: await api.put<SpeedDials>('/api/me/speed-dials', { entries, version }),
      hasFailed: false,
    });
  } catch (error) {
    void read(agentId);
    throw error;
  }
}
