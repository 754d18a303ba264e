import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { telephonyQuery } from './telephonyQueries.ts';
import { Loaded } from '../components/Loaded.tsx';
import { Page } from '../components/Page.tsx';
import { AgentsWithoutAccount } from './AgentsWithoutAccount.tsx';
import { TelephonyForm } from './TelephonyForm.tsx';

/** How the agents telephone. */
export function TelephonyPage() {
  const telephony = useQuery(telephonyQuery);
  return (
    <Page title="Telephony" isNarrow>
      <Loaded query={telephony}>
        {(data) => (
          <>
            {data.demo_carrier && (
              <Alert variant="light" icon={<IconInfoCircle size={18} />} title="The demo carrier answers" role="note">
                While nothing is set up here, calls go to an answering machine in this gateway that echoes what the agent
                says. Nobody is called. It ends as soon as you choose how your agents telephone.
              </Alert>
            )}
            <TelephonyForm telephony={data} />
            {data.mode === 'sip' && <AgentsWithoutAccount />}
          </>
        )}
      </Loaded>
    </Page>
  );
}
