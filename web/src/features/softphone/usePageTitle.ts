import { useEffect } from 'react';
import { ringText } from './Announcer.tsx';
import { lasts, whoIs } from '../calls/callWords.ts';
import { awayText, isHeldByGateway } from '../workplace/lineWords.ts';
import { agentStates } from '../../shared/agentState.tsx';
import type { WorkplaceView } from '../workplace/workplace.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

/** The tab tells what goes on, also to who looks at another one. */
export function usePageTitle(): void {
  const title = titleOf(useWorkplace().view);
  useEffect(() => {
    const before = document.title;
    return () => void (document.title = before);
  }, []);
  useEffect(() => void (document.title = title), [title]);
}

function titleOf(view: WorkplaceView): string {
  const ring = ringText(view);
  if (ring !== '') return `\u260e ${ring}`;
  if (view.line === 'replaced') return 'Open elsewhere · Readyline';
  if (lasts(view.call)) return `${whoIs(view.call)} · Readyline`;
  if (view.agent !== null && !isHeldByGateway(view)) return `${awayText(view).label} · Readyline`;
  return view.agent === null ? 'Readyline softphone' : `${agentStates[view.agent.state].label} · Readyline`;
}
