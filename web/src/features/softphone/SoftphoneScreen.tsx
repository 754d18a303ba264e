import { type RefObject, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SignIn } from '../../lib/gateway/signIn.ts';
import { lazyPage } from '../crm/lazyPage.tsx';
import { Boundary } from '../../shared/Boundary.tsx';
import { DialPad } from '../calls/DialPad.tsx';
import { RecentCalls, useRecentCalls } from '../calls/RecentCalls.tsx';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { useWrapUpCall } from '../wrapUp/useWrapUpCall.ts';
import { AgentHeader } from './AgentHeader.tsx';
import { Announcer, usePageTitle } from './Announcer.tsx';
import { RingNotice } from '../ring/lazyRing.tsx';
import { Notices } from './Notices.tsx';
import { ReplacedScreen } from './OpenElsewhere.tsx';
import { RenewBanner } from './RenewBanner.tsx';
import { SetAside } from './SetAside.tsx';
import { useShortcuts } from './shortcuts.tsx';
import classes from './SoftphoneScreen.module.css';
import { StatusLine } from './StatusLine.tsx';
import { WorkArea } from './WorkArea.tsx';

/** Most companies never need it. */
const DueTasks = lazyPage(
  async () => (await import('../tasks/DueTasks.tsx')).DueTasks,
  async () => ({ tasks: (await import('../../locales/en/tasks.json')).default }),
);

type Props = {
  signIn: SignIn;
  /** The log-in has ended; a call still needs the page. */
  hasEnded: boolean;
  problem: string | null;
  onForgetProblem: () => void;
  onSignOut: () => void;
};

/** Everything an agent works with: wide, the customer and the call stand beside what came before. */
export function SoftphoneScreen({ signIn, hasEnded, problem, onForgetProblem, onSignOut }: Props) {
  const { t } = useTranslation();
  const { view } = useWorkplace();
  const recent = useRecentCalls();
  const wrapUp = useWrapUpCall(recent.data);
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
        <RingNotice />
      </Suspense>
      <RenewBanner signIn={signIn} hasEnded={hasEnded} />
      <Notices problem={problem} onForgetProblem={onForgetProblem} />
      {!isPassive && <SetAside />}
      {isPassive ? (
        <ReplacedScreen />
      ) : (
        <main className={classes.columns}>
          <div className={classes.column}>
            {view.dueTasks.length > 0 && (
              <Suspense fallback={null}>
                <DueTasks tasks={view.dueTasks} />
              </Suspense>
            )}
            <WorkArea wrapUp={wrapUp} onWrappedUp={recent.refetch} />
          </div>
          <div className={classes.column}>
            <DialPad number={number} onNumber={setNumber} />
            <Boundary name={t('softphone.recent.title')}>
              <RecentCalls recent={recent} onWrapUp={wrapUp.pick} />
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
    const observer = new ResizeObserver(() => page.current?.style.setProperty('--header-height', `${measured.offsetHeight}px`));
    observer.observe(measured);
    return () => observer.disconnect();
  }, []);
  return { page, header };
}
