import { VisuallyHidden } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { chosenCandidate } from '../../../../src/contract/callRules.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import { reasonText } from '../../shared/agentState.tsx';
import { type PhoneText, usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { lasts, resultText, troubleText, whoCalls, whoIs } from '../calls/callWords.ts';
import type { WorkplaceView } from '../workplace/workplace.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { awayText, isHeldByGateway } from './StatusLine.tsx';

/** Tells those who hear the page what changes by itself: at once who calls, the rest when there is a pause. */
export function Announcer() {
  const { t } = useTranslation();
  const phoneText = usePhoneText();
  const { view } = useWorkplace();
  return (
    <VisuallyHidden>
      <div aria-live="assertive" data-testid="announce-now">
        {ringText(t, phoneText, view)}
      </div>
      <div aria-live="polite" data-testid="announce">
        {[stateText(t, view), callText(t, phoneText, view), customerText(t, view)]
          .filter((text) => text !== '')
          .join('. ')}
      </div>
    </VisuallyHidden>
  );
}

/** Who calls, as long as it rings; empty else. */
function ringText(t: Translate, phoneText: PhoneText, view: WorkplaceView): string {
  const calling = whoCalls(t, phoneText, view);
  return calling === null ? '' : t('softphone.call.from', { who: calling.who });
}

function stateText(t: Translate, view: WorkplaceView): string {
  const { agent, settings, line } = view;
  if (agent === null || line === 'replaced') return '';
  if (!isHeldByGateway(view)) return Object.values(awayText(t, view)).join(' ');
  const reason = agent.reason === null ? '' : `, ${reasonText(t, agent.reason, settings?.not_ready_reasons ?? [])}`;
  return `${t(`shared.state.${agent.state}`)}${reason}`;
}

function callText(
  t: Translate,
  phoneText: PhoneText,
  { call, agent, isHeld, isHeldByOther, isMuted, voiceTrouble }: WorkplaceView,
): string {
  if (lasts(call)) {
    const words = { who: whoIs(t, phoneText, call), state: t(`shared.callState.${isHeld ? 'held' : call.state}`) };
    const trouble = voiceTrouble === null ? '' : `. ${troubleText(t, voiceTrouble, null)}`;
    const announced = t(isMuted ? 'softphone.call.announcedMuted' : 'softphone.call.announced', words);
    return `${announced}${isHeldByOther ? `. ${t('softphone.call.heldByOther')}` : ''}${trouble}`;
  }
  return call !== null && agent?.state === 'wrap_up' ? resultText(t, call) : '';
}

/** That the agent is to say who it is. */
function customerText(t: Translate, { pop }: WorkplaceView): string {
  const { candidates = [] } = pop?.screen_pop ?? {};
  if (pop === null || candidates.length === 0 || chosenCandidate(pop.screen_pop) !== null) return '';
  return t('softphone.customer.several', { count: candidates.length });
}

/** The tab tells what goes on, also to who looks at another one. */
export function usePageTitle(): void {
  const title = titleOf(useTranslation().t, usePhoneText(), useWorkplace().view);
  useEffect(() => {
    const before = document.title;
    return () => void (document.title = before);
  }, []);
  useEffect(() => void (document.title = title), [title]);
}

function titleOf(t: Translate, phoneText: PhoneText, view: WorkplaceView): string {
  const ring = ringText(t, phoneText, view);
  if (ring !== '') return `\u260e ${ring}`;
  if (view.line === 'replaced') return t('softphone.tab.elsewhere');
  if (lasts(view.call)) return t('softphone.tab.of', { what: whoIs(t, phoneText, view.call) });
  if (view.agent !== null && !isHeldByGateway(view)) return t('softphone.tab.of', { what: awayText(t, view).label });
  return view.agent === null
    ? t('softphone.title')
    : t('softphone.tab.of', { what: t(`shared.state.${view.agent.state}`) });
}
