import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import type { SignedInAgent } from '../../../../src/contract/auth.ts';
import { Waiting } from '../parts/Waiting.tsx';
import { UnknownPage } from './UnknownPage.tsx';

const LiveWall = lazy(async () => ({ default: (await import('../../live/LiveWall.tsx')).LiveWall }));

type Props = { agent: SignedInAgent };

/** Which page an address shows. What a role may not do, the gateway refuses as well. */
export function Pages({ agent }: Props) {
  const isAdmin = agent.role === 'admin';
  return (
    <Suspense fallback={<Waiting />}>
      <Switch>
        <Route path="/live">
          <LiveWall />
        </Route>
        {!isAdmin && (
          <Route path="/">
            <Redirect to="/live" replace />
          </Route>
        )}
        <Route>
          <UnknownPage isAdmin={isAdmin} />
        </Route>
      </Switch>
    </Suspense>
  );
}
