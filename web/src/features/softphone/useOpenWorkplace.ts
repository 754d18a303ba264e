import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { SignIn } from '../../lib/gateway/signIn.ts';
import { createWorkplace } from '../workplace/createWorkplace.ts';
import type { Workplace, WorkplaceView } from '../workplace/workplace.ts';

/** Opens the workplace of who is signed in, for as long as the component lives. Null: about to be. */
export function useOpenWorkplace({ token, agent }: SignIn): Workplace | null {
  const [workplace, setWorkplace] = useState<Workplace | null>(null);
  // A renewed token is handed to the workplace that is there.
  const [firstToken] = useState(token);
  useEffect(() => {
    let opened: Workplace | null = null;
    // In a moment: an effect that is undone at once, as React does in development, opens nothing.
    const opening = setTimeout(() => {
      opened = createWorkplace({ url: location.origin, token: firstToken, agentId: agent.id });
      setWorkplace(opened);
    });
    return () => {
      clearTimeout(opening);
      opened?.close();
    };
  }, [firstToken, agent.id]);
  return workplace;
}

/** What it looks like, and a rendering for each change of it. */
export function useView(workplace: Workplace): WorkplaceView {
  const subscribe = useCallback((listener: () => void) => workplace.subscribe(listener), [workplace]);
  return useSyncExternalStore(subscribe, () => workplace.view());
}
