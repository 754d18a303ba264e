import { createHashRouter } from 'react-router';
import { areas, otherPages } from './areas.tsx';
import { Frame } from './Frame.tsx';
import { UnknownPage } from './UnknownPage.tsx';
import { ContactsPage } from '../contacts/ContactsPage.tsx';

/**
 * Which page an address shows; behind `#`, as the page of the softphone stays. One for as long as this page is open.
 */
export const router = createHashRouter([
  {
    element: <Frame />,
    children: [
      // Narrow, this is the softphone alone.
      { index: true, element: <ContactsPage /> },
      ...areas.map(({ path, pages }) => ({ path, children: pages })),
      ...otherPages,
      { path: '*', element: <UnknownPage /> },
    ],
  },
]);
