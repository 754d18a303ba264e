import { VisuallyHidden } from '@mantine/core';
import { reasonText } from '../shared/reasonWords.ts';
import { callStateLabels, lasts, resultText, whoIs } from './callWords.ts';
import { stateLooks } from './stateLooks.ts';
import type { WorkplaceView } from '../workplace/workplace.ts';
import { useDesk } from './workplaceContext.ts';

/** Tells those who hear the page what changes by itself: at once who calls, the rest when there is a pause. */
export function Announcer() {
  const { view } = useDesk();
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
export function ringText({ caller, pop }: WorkplaceView): string {
  if (caller === null) return '';
  return `Incoming call from ${pop?.screen_pop.name ?? caller.displayName ?? caller.phoneNumber}`;
}

function stateText({ agent, settings }: WorkplaceView): string {
  if (agent === null) return '';
  const reason = agent.reason === null ? '' : `, ${reasonText(agent.reason, settings?.not_ready_reasons ?? [])}`;
  return `${stateLooks[agent.state].label}${reason}`;
}

function callText({ call, agent, isHeld, isMuted }: WorkplaceView): string {
  if (lasts(call)) {
    const state = isHeld ? callStateLabels.held : callStateLabels[call.state];
    return `${whoIs(call)}: ${state}${isMuted ? ', muted' : ''}`;
  }
  return call !== null && agent?.state === 'wrap_up' ? resultText(call) : '';
}
