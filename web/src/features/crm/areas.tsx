import { IconAddressBook } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';
import { ContactPage } from '../contacts/ContactPage.tsx';
import { ContactsPage } from '../contacts/ContactsPage.tsx';
import type crmArea from '../../locales/en/crmArea.json';

type Area = {
  /** The first part of its addresses: `#/contacts`. */
  path: string;
  /** Its text in the navigation: `crmArea.areas`. */
  name: keyof (typeof crmArea)['areas'];
  icon: ComponentType<{ size?: number | string; stroke?: number | string }>;
  /** Its pages, by what follows the path. Pages that few open are loaded by `lazyPage`. */
  pages: RouteObject[];
};

/** What the CRM area has, in the order of its navigation. */
export const areas: readonly Area[] = [
  {
    path: 'contacts',
    name: 'contacts',
    icon: IconAddressBook,
    pages: [
      { index: true, element: <ContactsPage /> },
      { path: ':id', element: <ContactPage /> },
    ],
  },
];
