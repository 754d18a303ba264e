import type { WorkplaceView } from '../workplace/workplace.ts';

/** Why nothing can be dialed by hand now, for a person; null: it can. */
export function dialBlocker({ line, phone, agent }: WorkplaceView): string | null {
  if (line !== 'connected' || agent === null) return 'Not connected to the gateway.';
  if (phone.state !== 'ready') return 'The telephone is not ready.';
  switch (agent.state) {
    case 'ready':
    case 'not_ready':
      return null;
    case 'wrap_up':
      return 'Wrap up first, then dial.';
    case 'reserved':
    case 'on_call':
      return 'There is a call already.';
    case 'offline':
      return 'You are logged out.';
  }
}
