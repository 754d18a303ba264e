import { IconAddressBook, IconCoins, IconPhoneOutgoing } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';
import { ContactPage } from '../contacts/ContactPage.tsx';
import { ContactsPage } from '../contacts/ContactsPage.tsx';
import type crmArea from '../../locales/en/crmArea.json';
import { lazyPart } from '../../lib/i18n/lazyPart.tsx';

/** Pages that no navigation leads to. */
export const otherPages: readonly RouteObject[] = [
  {
    path: 'organisations/:id',
    Component: lazyPart(async () => (await import('../contacts/OrganisationPage.tsx')).OrganisationPage),
  },
];

type Area = {
  /** The first part of its addresses: `#/contacts`. */
  path: string;
  /** Its text in the navigation: `crmArea.areas`. */
  name: keyof (typeof crmArea)['areas'];
  icon: ComponentType<{ size?: number | string; stroke?: number | string }>;
  /** Its pages, by what follows the path. Pages that few open are loaded by `lazyPart`. */
  pages: RouteObject[];
};

const loadTaskTexts = async () => ({ tasks: (await import('../../locales/en/tasks.json')).default });
const CallbacksPage = lazyPart(async () => (await import('../tasks/CallbacksPage.tsx')).CallbacksPage, loadTaskTexts);
const NewTaskPage = lazyPart(async () => (await import('../tasks/NewTaskPage.tsx')).NewTaskPage, loadTaskTexts);

const loadDealTexts = async () => ({ deals: (await import('../../locales/en/deals.json')).default });
const DealsPage = lazyPart(async () => (await import('../deals/DealsPage.tsx')).DealsPage, loadDealTexts);
const DealPage = lazyPart(async () => (await import('../deals/DealPage.tsx')).DealPage, loadDealTexts);
const NewDealPage = lazyPart(async () => (await import('../deals/NewDealPage.tsx')).NewDealPage, loadDealTexts);
const EditDealPage = lazyPart(async () => (await import('../deals/EditDealPage.tsx')).EditDealPage, loadDealTexts);

const MergeContactPage = lazyPart(
  async () => (await import('../merge/MergeContactPage.tsx')).MergeContactPage,
  async () => ({ duplicates: (await import('../../locales/en/duplicates.json')).default }),
);

/** What the CRM area has, in the order of its navigation. */
export const areas: readonly Area[] = [
  {
    path: 'contacts',
    name: 'contacts',
    icon: IconAddressBook,
    pages: [
      { index: true, element: <ContactsPage /> },
      { path: 'new', Component: lazyPart(async () => (await import('../contacts/NewContactPage.tsx')).NewContactPage) },
      { path: ':id', element: <ContactPage /> },
      {
        path: ':id/edit',
        Component: lazyPart(async () => (await import('../contacts/EditContactPage.tsx')).EditContactPage),
      },
      { path: ':id/merge', Component: MergeContactPage },
    ],
  },
  {
    path: 'callbacks',
    name: 'callbacks',
    icon: IconPhoneOutgoing,
    pages: [
      { index: true, element: <CallbacksPage /> },
      { path: 'new', element: <NewTaskPage /> },
    ],
  },
  {
    path: 'deals',
    name: 'deals',
    icon: IconCoins,
    pages: [
      { index: true, element: <DealsPage /> },
      { path: 'new', element: <NewDealPage /> },
      { path: ':id', element: <DealPage /> },
      { path: ':id/edit', element: <EditDealPage /> },
    ],
  },
];
