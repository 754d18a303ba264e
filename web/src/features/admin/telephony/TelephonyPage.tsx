import { Alert, Anchor, List, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { agentsQuery } from '../agents/agentQueries.ts';
import { Loaded } from '../components/Loaded.tsx';
import { Page } from '../components/Page.tsx';
import { Section } from '../components/Section.tsx';
import { TelephonyForm } from './TelephonyForm.tsx';
import { telephonyQuery } from './telephonyQueries.ts';

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

/** More are told by their number. */
const namedAtMost = 20;

/** Which agents cannot telephone for want of a SIP user or secret. Supervisors and admins seldom telephone, and are not listed. */
function AgentsWithoutAccount() {
  const agents = useQuery(agentsQuery);
  return (
    <Section
      title="Agents without a SIP account"
      note="They can sign in, but not telephone, until they have a SIP user and secret. Supervisors and admins who telephone need them too, and are not listed here."
    >
      <Loaded query={agents}>
        {(all) => {
          const lacking = all.filter((agent) => agent.active && agent.role === 'agent' && (agent.sip_user === null || !agent.sip_secret_set));
          if (lacking.length === 0) return <Text size="sm">None: everyone who is active in the role of an agent has one.</Text>;
          return (
            <>
              <List size="sm" spacing={2}>
                {lacking.slice(0, namedAtMost).map((agent) => (
                  <List.Item key={agent.id}>
                    <Anchor component={Link} to={`/agents?agent=${agent.id}`} size="sm" underline="always">
                      {agent.name}
                    </Anchor>{' '}
                    ({agent.agent_code}): {agent.sip_user === null ? 'no SIP user' : 'no secret'}
                  </List.Item>
                ))}
              </List>
              {lacking.length > namedAtMost && <Text size="sm">and {lacking.length - namedAtMost} more.</Text>}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
