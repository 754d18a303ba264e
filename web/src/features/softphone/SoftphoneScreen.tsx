import { type RefObject, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SignIn } from '../../lib/gateway/signIn.ts';
import { lazyPart } from '../../lib/i18n/lazyPart.tsx';
import { Boundary } from '../../shared/Boundary.tsx';
import { useRecentCalls } from '../calls/useRecentCalls.ts';
import { DialPad, PreviewDial, RecentCalls, SpeedDials } from '../dialing/lazyDialing.tsx';
import { usePreview } from '../preview/previewStore.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { useWrapUpCall } from '../wrapUp/useWrapUpCall.ts';
import { AgentHeader } from './AgentHeader.tsx';
import { Announcer, usePageTitle } from './Announcer.tsx';
import { RingNotice } from '../ring/lazyRing.tsx';
import { ReplacedScreen } from './lazyElsewhere.ts';
import { Notices, type ShownProblem } from './Notices.tsx';
import { RenewBanner } from './RenewBanner.tsx';
import { useShortcuts } from './shortcuts.ts';
import classes from './SoftphoneScreen.module.css';
import { StatusLine } from './StatusLine.tsx';
import { WorkArea } from './WorkArea.tsx';

/** Most companies never need it. */
const DueTasks = lazyPart(
  async () => (await import('../tasks/DueTasks.tsx')).DueTasks,
  async () => ({ tasks: (await import('../../locales/en/tasks.json')).default }),
);

/** Before the first call. */
const KeptDrafts = lazyPart(async () => (await import('../wrapUp/KeptDrafts.tsx')).KeptDrafts);

/** Whom it tells of is told by the gateway, a moment after the page is there. */
const SetAside = lazyPart(async () => (await import('./SetAside.tsx')).SetAside);

type Props = {
  signIn: SignIn;
  /** The log-in has ended; a call still needs the page. */
  hasEnded: boolean;
  problem: ShownProblem | null;
  onForgetProblem: () => void;
  onSignOut: () => void;
};

/** Everything an agent works with: wide, the customer and the call stand beside what came before. */
export function SoftphoneScreen({ signIn, hasEnded, problem, onForgetProblem, onSignOut }: Props) {
  const { t } = useTranslation();
  const { view } = useWorkplace();
  const recent = useRecentCalls();
  const wrapUp = useWrapUpCall(recent.data?.calls);
  const preview = usePreview();
  const [number, setNumber] = useState('');
  const { page, header } = useHeaderHeight();
  usePageTitle();
  useShortcuts();
  const isPassive = view.line === 'replaced';
  return (
    <div ref={page} className={classes.page}>
      <header ref={header} className={classes.header}>
        <AgentHeader name={signIn.agent.name} isPassive={isPassive} onSignOut={onSignOut} />
        <StatusLine />
      </header>
      <Announcer />
      <Suspense fallback={null}>
        <KeptDrafts isPassive={isPassive} />
      </Suspense>
      <Suspense fallback={null}>
        <RingNotice />
      </Suspense>
      <RenewBanner signIn={signIn} hasEnded={hasEnded} />
      <Notices problem={problem} onForgetProblem={onForgetProblem} />
      {!isPassive && (
        <Suspense fallback={null}>
          <SetAside />
        </Suspense>
      )}
      {isPassive ? (
        <Suspense fallback={null}>
          <ReplacedScreen />
        </Suspense>
      ) : (
        <main className={classes.columns}>
          <div className={classes.column}>
            {(preview.shown !== null || preview.queue.length > 0) && (
              <Boundary name={t('softphone.call.preview')}>
                <Suspense fallback={null}>
                  <PreviewDial />
                </Suspense>
              </Boundary>
            )}
            {view.dueTasks.length > 0 && (
              <Suspense fallback={null}>
                <DueTasks tasks={view.dueTasks} />
              </Suspense>
            )}
            <WorkArea wrapUp={wrapUp} onWrappedUp={recent.refetch} />
          </div>
          <div className={classes.column}>
            <Boundary name={t('softphone.dial.label')}>
              <Suspense fallback={null}>
                <DialPad number={number} onNumber={setNumber} />
              </Suspense>
            </Boundary>
            <Boundary name={t('softphone.recent.title')}>
              <Suspense fallback={null}>
                <SpeedDials />
                <RecentCalls recent={recent} onWrapUp={wrapUp.pick} />
              </Suspense>
            </Boundary>
          </div>
        </main>
      )}
    </div>
  );
}

/** Tells the style sheets how high the header is (`--header-height`), so that what sticks does so below it. */
function useHeaderHeight(): { page: RefObject<HTMLDivElement | null>; header: RefObject<HTMLElement | null> } {
  const page = useRef<HTMLDivElement>(null);
  const header = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const measured = header.current;
    if (measured === null) return;
    const observer = new ResizeObserver(() =>
      page.current?.style.setProperty('--header-height', `${measured.offsetHeight}px`),
    );
    observer.observe(measured);
    return () => observer.disconnect();
  }, []);
  return { page, header };
}
