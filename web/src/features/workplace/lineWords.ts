import type { WorkplaceView } from '../workplace/workplace.ts';

/** Whether the agent's state is what the gateway holds at this moment; else it sends no calls, whatever was known last. */
export function isHeldByGateway({ line, agent }: Pick<WorkplaceView, 'line' | 'agent'>): boolean {
  return line === 'connected' && agent !== null && (agent.connection === null || agent.connection === 'connected');
}

/** What stands in the place of the state meanwhile. */
export function awayText({ line, agent }: Pick<WorkplaceView, 'line' | 'agent'>): { label: string; detail: string } {
  const isOver = line === 'refused' || line === 'closed';
  return {
    label: isOver ? 'Not connected' : 'Reconnecting…',
    detail: agent?.state === 'on_call' ? 'Your call goes on' : 'You get no calls now',
  };
}
