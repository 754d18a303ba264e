import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { EmptyState } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import type { SignedInAgent } from '../../../../../src/contract/auth.ts';
import { Boundary } from '../../../shared/Boundary.tsx';
import { AgentsPage } from '../agents/AgentsPage.tsx';
import { CompanyPage } from '../company/CompanyPage.tsx';
import { Waiting } from '../components/Loaded.tsx';
import { Page } from '../components/Page.tsx';
import { ConnectPage } from '../connect/ConnectPage.tsx';
import { DeliveriesPage } from '../deliveries/DeliveriesPage.tsx';
import { OverviewPage } from '../overview/OverviewPage.tsx';
import { TelephonyPage } from '../telephony/TelephonyPage.tsx';

const WallboardPage = lazy(async () => ({ default: (await import('../../wallboard/WallboardPage.tsx')).WallboardPage }));

type Props = { agent: SignedInAgent };

/** Which page an address shows. What a role may not do, the gateway refuses as well. */
export function Pages({ agent }: Props) {
  const [location] = useLocation();
  return (
    <Boundary key={location} name="This page" isWholePage>
      <Suspense fallback={<Waiting />}>
        <Switch>
          <Route path="/live">
            <WallboardPage />
          </Route>
          <Route path="/agents">
            <AgentsPage me={agent} />
          </Route>
          {agent.role === 'admin' ? adminRoutes : supervisorRoutes}
          <Route>
            <UnknownPage isAdmin={agent.role === 'admin'} />
          </Route>
        </Switch>
      </Suspense>
    </Boundary>
  );
}

const adminRoutes = [
  <Route key="overview" path="/" component={OverviewPage} />,
  <Route key="connect" path="/connect" component={ConnectPage} />,
  <Route key="deliveries" path="/deliveries" component={DeliveriesPage} />,
  <Route key="company" path="/company" component={CompanyPage} />,
  <Route key="telephony" path="/telephony" component={TelephonyPage} />,
];

const supervisorRoutes = [
  <Route key="start" path="/">
    <Redirect to="/live" replace />
  </Route>,
];

type UnknownPageProps = { isAdmin: boolean };

/** For an address that leads nowhere, or nowhere for this role. */
function UnknownPage({ isAdmin }: UnknownPageProps) {
  return (
    <Page title="Nothing here">
      <EmptyState
        icon={<IconMapQuestion />}
        title="There is no such page"
        description={isAdmin ? 'The navigation has all that there are.' : 'Settings are for admins; supervisors have the wallboard and the agents.'}
      />
    </Page>
  );
}
