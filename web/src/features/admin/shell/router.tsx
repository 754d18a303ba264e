import { type ComponentType, Suspense } from 'react';
import { createBrowserRouter, Navigate, Outlet, useLocation } from 'react-router';
import { EmptyState } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Role } from '../../../../../src/contract/vocabulary.ts';
import { Boundary } from '../../../shared/Boundary.tsx';
import { Waiting } from '../components/Loaded.tsx';
import { Page } from '../components/Page.tsx';
import { useAccount } from './accountContext.ts';
import { crmPage, destinations } from './destinations.tsx';
import { Shell } from './Shell.tsx';

const pages = [...destinations, crmPage].flatMap(({ path, roles, page }) =>
  page === undefined ? [] : [{ path, element: <ForRoles path={path} roles={roles} page={page} /> }],
);

/** One for as long as this page is open, whoever signs in. */
export const router = createBrowserRouter(
  [{ element: <Frame />, children: [...pages, { path: '*', element: <UnknownPage /> }] }],
  { basename: '/admin' },
);

function Frame() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return (
    <Shell>
      <Boundary key={pathname} name={t('admin.shell.page')} isWholePage>
        <Suspense fallback={<Waiting />}>
          <Outlet />
        </Suspense>
      </Boundary>
    </Shell>
  );
}

type Props = { path: string; roles: readonly Role[]; page: ComponentType };

/** The page of an address; who may not see where the console begins is led to the wallboard. */
function ForRoles({ path, roles, page: Shown }: Props) {
  if (roles.includes(useAccount().agent.role)) return <Shown />;
  return path === '/' ? <Navigate to="/live" replace /> : <UnknownPage />;
}

/** For an address that leads nowhere, or nowhere for this role. */
function UnknownPage() {
  const { t } = useTranslation();
  const isAdmin = useAccount().agent.role === 'admin';
  return (
    <Page title={t('admin.shell.unknown.heading')}>
      <EmptyState
        icon={<IconMapQuestion />}
        title={t('admin.shell.unknown.title')}
        description={t(isAdmin ? 'admin.shell.unknown.admin' : 'admin.shell.unknown.supervisor')}
      />
    </Page>
  );
}
