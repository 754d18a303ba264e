import { lazy, type ReactNode, Suspense } from 'react';
import { createBrowserRouter, Navigate, Outlet, type RouteObject, useLocation } from 'react-router';
import { EmptyState } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { addTexts } from '../../../lib/i18n/texts.ts';
import { Boundary } from '../../../shared/Boundary.tsx';
import { AgentsPage } from '../agents/AgentsPage.tsx';
import { CompanyPage } from '../company/CompanyPage.tsx';
import { Waiting } from '../components/Loaded.tsx';
import { Page } from '../components/Page.tsx';
import { ConnectPage } from '../connect/ConnectPage.tsx';
import { DeliveriesPage } from '../deliveries/DeliveriesPage.tsx';
import { OverviewPage } from '../overview/OverviewPage.tsx';
import { TelephonyPage } from '../telephony/TelephonyPage.tsx';
import { useAccount } from './accountContext.ts';
import { Shell } from './Shell.tsx';

const WallboardPage = lazy(async () => ({
  default: (await import('../../wallboard/WallboardPage.tsx')).WallboardPage,
}));

const CrmPage = lazy(async () => ({ default: (await import('../crm/CrmPage.tsx')).CrmPage }));

const FieldsPage = lazy(async () => ({ default: (await import('../fields/FieldsPage.tsx')).FieldsPage }));

const ImportsPage = lazy(async () => {
  const [{ ImportsPage: page }, { default: imports }] = await Promise.all([
    import('../imports/ImportsPage.tsx'),
    import('../../../locales/en/imports.json'),
  ]);
  await addTexts({ imports });
  return { default: page };
});
const PipelinesPage = lazy(async () => ({ default: (await import('../pipelines/PipelinesPage.tsx')).PipelinesPage }));

const DuplicatesPage = lazy(async () => {
  const [{ DuplicatesPage: page }, { default: duplicates }] = await Promise.all([
    import('../duplicates/DuplicatesPage.tsx'),
    import('../../../locales/en/duplicates.json'),
  ]);
  await addTexts({ duplicates });
  return { default: page };
});

const CallsPage = lazy(async () => {
  const [{ CallsPage: page }, { default: calls }] = await Promise.all([
    import('../callRecords/CallsPage.tsx'),
    import('../../../locales/en/calls.json'),
  ]);
  await addTexts({ calls });
  return { default: page };
});

const ReportsPage = lazy(async () => {
  const [{ ReportsPage: page }, { default: reports }] = await Promise.all([
    import('../reports/ReportsPage.tsx'),
    import('../../../locales/en/reports.json'),
  ]);
  await addTexts({ reports });
  return { default: page };
});

const TeamsPage = lazy(async () => {
  const [{ TeamsPage: page }, { default: teams }] = await Promise.all([
    import('../teams/TeamsPage.tsx'),
    import('../../../locales/en/teams.json'),
  ]);
  await addTexts({ teams });
  return { default: page };
});

const DoNotDialPage = lazy(async () => {
  const [{ DoNotDialPage: page }, { default: doNotDial }] = await Promise.all([
    import('../doNotDial/DoNotDialPage.tsx'),
    import('../../../locales/en/doNotDial.json'),
  ]);
  await addTexts({ doNotDial });
  return { default: page };
});

const AuditPage = lazy(async () => {
  const [{ AuditPage: page }, { default: audit }] = await Promise.all([
    import('../audit/AuditPage.tsx'),
    import('../../../locales/en/audit.json'),
  ]);
  await addTexts({ audit });
  return { default: page };
});

const PopLayoutPage = lazy(async () => {
  const [{ PopLayoutPage: page }, { popLayoutTexts }] = await Promise.all([
    import('../popLayout/PopLayoutPage.tsx'),
    import('../popLayout/popLayoutTexts.ts'),
  ]);
  await addTexts(popLayoutTexts);
  return { default: page };
});

const PlatformsPage = lazy(async () => {
  const [{ PlatformsPage: page }, { default: platforms }] = await Promise.all([
    import('../platforms/PlatformsPage.tsx'),
    import('../../../locales/en/platforms.json'),
  ]);
  await addTexts({ platforms });
  return { default: page };
});

/** Which page an address shows. What a role may not do, the gateway refuses as well. */
const routes: readonly RouteObject[] = [
  { index: true, element: <Start /> },
  { path: 'live', element: <WallboardPage /> },
  { path: 'calls', element: <CallsPage /> },
  { path: 'reports', element: <ReportsPage /> },
  { path: 'agents', element: <AgentsPage /> },
  { path: 'teams', element: <ForAdmins page={<TeamsPage />} /> },
  { path: 'connect', element: <ForAdmins page={<ConnectPage />} /> },
  { path: 'connect/crm', element: <ForAdmins page={<CrmPage />} /> },
  { path: 'deliveries', element: <ForAdmins page={<DeliveriesPage />} /> },
  { path: 'company', element: <ForAdmins page={<CompanyPage />} /> },
  { path: 'do-not-dial', element: <ForAdmins page={<DoNotDialPage />} /> },
  { path: 'fields', element: <ForAdmins page={<FieldsPage />} /> },
  { path: 'imports', element: <ForAdmins page={<ImportsPage />} /> },
  { path: 'pipelines', element: <ForAdmins page={<PipelinesPage />} /> },
  { path: 'duplicates', element: <DuplicatesPage /> },
  { path: 'audit', element: <ForAdmins page={<AuditPage />} /> },
  { path: 'pop-layout', element: <ForAdmins page={<PopLayoutPage />} /> },
  { path: 'platforms', element: <ForAdmins page={<PlatformsPage />} /> },
  { path: 'telephony', element: <ForAdmins page={<TelephonyPage />} /> },
  { path: '*', element: <UnknownPage /> },
];

/** One for as long as this page is open, whoever signs in. */
export const router = createBrowserRouter([{ element: <Frame />, children: [...routes] }], { basename: '/admin' });

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

function Start() {
  return useAccount().agent.role === 'admin' ? <OverviewPage /> : <Navigate to="/live" replace />;
}

function ForAdmins({ page }: { page: ReactNode }) {
  return useAccount().agent.role === 'admin' ? page : <UnknownPage />;
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
