import {
  IconAddressBook,
  IconBroadcast,
  IconChartBar,
  IconColumns3,
  IconEraser,
  IconForms,
  IconHeadset,
  IconHistory,
  IconHome,
  IconId,
  IconListDetails,
  IconPhone,
  IconPhoneCall,
  IconPhoneOff,
  IconPlugConnected,
  IconTransfer,
  IconUsers,
  IconUsersGroup,
  IconUsersPlus,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Role } from '../../../../../src/contract/vocabulary.ts';
import type { Catalog } from '../../../lib/i18n/catalog.ts';
import { lazyPage } from '../../../lib/i18n/lazyPart.tsx';
import { AgentsPage } from '../agents/AgentsPage.tsx';
import { CompanyPage } from '../company/CompanyPage.tsx';
import { ConnectPage } from '../connect/ConnectPage.tsx';
import { DeliveriesPage } from '../deliveries/DeliveriesPage.tsx';
import { OverviewPage } from '../overview/OverviewPage.tsx';
import { TelephonyPage } from '../telephony/TelephonyPage.tsx';

const WallboardPage = lazyPage(async () => (await import('../../wallboard/WallboardPage.tsx')).WallboardPage);
const FieldsPage = lazyPage(async () => (await import('../fields/FieldsPage.tsx')).FieldsPage);
const PipelinesPage = lazyPage(async () => (await import('../pipelines/PipelinesPage.tsx')).PipelinesPage);
const CrmPage = lazyPage(async () => (await import('../crm/CrmPage.tsx')).CrmPage);
const CallsPage = lazyPage(
  async () => (await import('../callRecords/CallsPage.tsx')).CallsPage,
  async () => ({ calls: (await import('../../../locales/en/calls.json')).default }),
);
const ReportsPage = lazyPage(
  async () => (await import('../reports/ReportsPage.tsx')).ReportsPage,
  async () => ({ reports: (await import('../../../locales/en/reports.json')).default }),
);
const TeamsPage = lazyPage(
  async () => (await import('../teams/TeamsPage.tsx')).TeamsPage,
  async () => ({ teams: (await import('../../../locales/en/teams.json')).default }),
);
const PopLayoutPage = lazyPage(
  async () => (await import('../popLayout/PopLayoutPage.tsx')).PopLayoutPage,
  async () => (await import('../popLayout/popLayoutTexts.ts')).popLayoutTexts,
);
const DoNotDialPage = lazyPage(
  async () => (await import('../doNotDial/DoNotDialPage.tsx')).DoNotDialPage,
  async () => ({ doNotDial: (await import('../../../locales/en/doNotDial.json')).default }),
);
const ImportsPage = lazyPage(
  async () => (await import('../imports/ImportsPage.tsx')).ImportsPage,
  async () => ({ imports: (await import('../../../locales/en/imports.json')).default }),
);
const DuplicatesPage = lazyPage(
  async () => (await import('../duplicates/DuplicatesPage.tsx')).DuplicatesPage,
  async () => ({ duplicates: (await import('../../../locales/en/duplicates.json')).default }),
);
const AuditPage = lazyPage(
  async () => (await import('../audit/AuditPage.tsx')).AuditPage,
  async () => ({ audit: (await import('../../../locales/en/audit.json')).default }),
);
const PlatformsPage = lazyPage(
  async () => (await import('../platforms/PlatformsPage.tsx')).PlatformsPage,
  async () => ({ platforms: (await import('../../../locales/en/platforms.json')).default }),
);

type Destination = {
  /** Below `/admin`; of a page beside the console, its address. */
  path: string;
  name: keyof Catalog['admin']['pages'];
  icon: ComponentType<{ size?: number | string; stroke?: number | string }>;
  /** Who sees it. What a role may not do, the gateway refuses as well. */
  roles: readonly Role[];
  /** Undefined: it is beside the console, of companies that work with contacts here. */
  page?: ComponentType;
};

const admins: readonly Role[] = ['admin'];
const all: readonly Role[] = ['admin', 'supervisor'];

/** Where the console leads, in the order of the navigation. */
export const destinations: readonly Destination[] = [
  { path: '/', name: 'overview', icon: IconHome, roles: admins, page: OverviewPage },
  { path: '/live', name: 'live', icon: IconBroadcast, roles: all, page: WallboardPage },
  { path: '/calls', name: 'calls', icon: IconPhoneCall, roles: all, page: CallsPage },
  { path: '/crm#/contacts', name: 'contacts', icon: IconAddressBook, roles: all },
  { path: '/reports', name: 'reports', icon: IconChartBar, roles: all, page: ReportsPage },
  { path: '/connect', name: 'connect', icon: IconPlugConnected, roles: admins, page: ConnectPage },
  { path: '/deliveries', name: 'deliveries', icon: IconHistory, roles: admins, page: DeliveriesPage },
  { path: '/agents', name: 'agents', icon: IconUsers, roles: all, page: AgentsPage },
  { path: '/teams', name: 'teams', icon: IconUsersPlus, roles: admins, page: TeamsPage },
  { path: '/company', name: 'company', icon: IconListDetails, roles: admins, page: CompanyPage },
  { path: '/pop-layout', name: 'popLayout', icon: IconId, roles: admins, page: PopLayoutPage },
  { path: '/do-not-dial', name: 'doNotDial', icon: IconPhoneOff, roles: admins, page: DoNotDialPage },
  { path: '/fields', name: 'fields', icon: IconForms, roles: admins, page: FieldsPage },
  { path: '/imports', name: 'imports', icon: IconTransfer, roles: admins, page: ImportsPage },
  { path: '/pipelines', name: 'pipelines', icon: IconColumns3, roles: admins, page: PipelinesPage },
  { path: '/duplicates', name: 'duplicates', icon: IconUsersGroup, roles: all, page: DuplicatesPage },
  { path: '/audit', name: 'audit', icon: IconEraser, roles: admins, page: AuditPage },
  { path: '/telephony', name: 'telephony', icon: IconPhone, roles: admins, page: TelephonyPage },
  { path: '/platforms', name: 'platforms', icon: IconHeadset, roles: admins, page: PlatformsPage },
];

/** A page that another one leads to. */
export const crmPage = { path: '/connect/crm', roles: admins, page: CrmPage };
