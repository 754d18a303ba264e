import { VisuallyHidden } from '@mantine/core';
import { useEffect } from 'react';
import { agentStates, reasonText } from '../../shared/agentState.tsx';
import { callingText, callStateLabels, heldByOther, lasts, resultText, troubleText, whoIs } from '../calls/callWords.ts';
import type { WorkplaceView } from '../workplace/workplace.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { awayText, isHeldByGateway } from './StatusLine.tsx';

/** Tells those who hear the page what changes by itself: at once who calls, the rest when there is a pause. */
export function Announcer() {
  const { view } = useWorkplace();
  return (
    <VisuallyHidden>
      <div aria-live="assertive" data-testid="announce-now">
        {ringText(view)}
      </div>
      <div aria-live="polite" data-testid="announce">
        {[stateText(view), callText(view)].filter((text) => text !== '').join('. ')}
      </div>
    </VisuallyHidden>
  );
}

/** Who calls, as long as it rings; empty else. */
function ringText(view: WorkplaceView): string {
  const { caller, pop } = view;
  if (caller === null) return '';
  return `Incoming call from ${pop?.screen_pop.name ?? caller.displayName ?? callingText(view)}`;
}

function stateText(view: WorkplaceView): string {
  const { agent, settings, line } = view;
  if (agent === null || line === 'replaced') return '';
  if (!isHeldByGateway(view)) return Object.values(awayText(view)).join(' ');
  const reason = agent.reason === null ? '' : `, ${reasonText(agent.reason, settings?.not_ready_reasons ?? [])}`;
  return `${agentStates[agent.state].label}${reason}`;
}

function callText({ call, agent, isHeld, isHeldByOther, isMuted, voiceTrouble }: WorkplaceView): string {
  if (lasts(call)) {
    const state = isHeld ? callStateLabels.held : callStateLabels[call.state];
    const trouble = voiceTrouble === null ? '' : `. ${troubleText(voiceTrouble, null)}`;
    return `${whoIs(call)}: ${state}${isMuted ? ', muted' : ''}${isHeldByOther ? `. ${heldByOther}` : ''}${trouble}`;
  }
  return call !== null && agent?.state === 'wrap_up' ? resultText(call) : '';
}

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
