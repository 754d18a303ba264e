import { Anchor, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { agentsQuery } from '../agents/agentQueries.ts';
import { Loaded } from '../components/Loaded.tsx';
import { Section } from '../components/Section.tsx';

/** More are told by their number. */
const namedAtMost = 20;

/** Which agents cannot telephone for want of a SIP user or secret. Supervisors and admins seldom telephone, and are not listed. */
export function AgentsWithoutAccount() {
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
                    <Anchor component={Link} href={`/agents?agent=${agent.id}`} size="sm" underline="always">
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
