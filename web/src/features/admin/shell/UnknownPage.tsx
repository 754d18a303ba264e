import { EmptyState } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { Page } from '../components/Page.tsx';

type Props = { isAdmin: boolean };

/** For an address that leads nowhere, or nowhere for this role. */
export function UnknownPage({ isAdmin }: Props) {
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
