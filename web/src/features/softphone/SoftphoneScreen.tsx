import { useState } from 'react';
import { Boundary } from '../../shared/Boundary.tsx';
import type { SignIn } from '../../lib/gateway/signIn.ts';
import { AgentHeader } from './AgentHeader.tsx';
import { Announcer } from './Announcer.tsx';
import classes from './SoftphoneScreen.module.css';
import { DialPad } from '../calls/DialPad.tsx';
import { Notices } from './Notices.tsx';
import { RecentCalls } from '../calls/RecentCalls.tsx';
import { RenewBanner } from './RenewBanner.tsx';
import { ReplacedScreen } from './ReplacedScreen.tsx';
import { SetAside } from './SetAside.tsx';
import { StatusLine } from './StatusLine.tsx';
import { useHeaderHeight } from './useHeaderHeight.ts';
import { usePageTitle } from './usePageTitle.ts';
import { useRecentCalls } from '../calls/useRecentCalls.ts';
import { useShortcuts } from './useShortcuts.ts';
import { useWrapUpCall } from '../wrapUp/useWrapUpCall.ts';
import { WorkArea } from './WorkArea.tsx';
import { useWorkplace } from '../workplace/workplaceContext.ts';

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
  const { view } = useWorkplace();
  const recent = useRecentCalls();
  const wrapUp = useWrapUpCall(recent.calls);
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
      <RenewBanner signIn={signIn} hasEnded={hasEnded} />
      <Notices problem={problem} onForgetProblem={onForgetProblem} />
      {!isPassive && <SetAside />}
      {isPassive ? (
        <ReplacedScreen />
      ) : (
        <main className={classes.columns}>
          <div className={classes.column}>
            <WorkArea wrapUp={wrapUp} onWrappedUp={recent.refresh} />
          </div>
          <div className={classes.column}>
            <DialPad number={number} onNumber={setNumber} />
            <Boundary name="Recent calls">
              <RecentCalls recent={recent} onWrapUp={wrapUp.pick} />
            </Boundary>
          </div>
        </main>
      )}
    </div>
  );
}
