import { useState } from 'react';
import { Button, EmptyState } from '@mantine/core';
import { IconPlus, IconSearchOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import type { SignedInAgent } from '../../../../../src/contract/auth.ts';
import { agentsQuery } from './agentQueries.ts';
import { Loaded } from '../components/Loaded.tsx';
import { Page } from '../components/Page.tsx';
import { ReloadButton } from '../components/ReloadButton.tsx';
import { AgentDrawer } from './AgentDrawer.tsx';
import { AgentFilters, everyAgent, fits } from './AgentFilters.tsx';
import { AgentTable } from './AgentTable.tsx';

type Props = { me: SignedInAgent };

/** The company's accounts. Supervisors see them, admins change them. */
export function AgentsPage({ me }: Props) {
  const agents = useQuery(agentsQuery);
  const [filter, setFilter] = useState(everyAgent);
  const [params, setParams] = useSearchParams();
  const opened = params.get('agent');
  const open = (id: string | null) => setParams(id === null ? {} : { agent: id }, { replace: true });
  const isAdmin = me.role === 'admin';
  return (
    <Page
      title="Agents"
      actions={
        <>
          {isAdmin && (
            <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => open('new')}>
              New agent
            </Button>
          )}
          <ReloadButton query={agents} />
        </>
      }
    >
      <Loaded query={agents}>
        {(all) => {
          const shown = all.filter((agent) => fits(agent, filter));
          return (
            <>
              <AgentFilters filter={filter} onChange={setFilter} shown={shown.length} all={all.length} />
              {shown.length === 0 ? (
                <EmptyState icon={<IconSearchOff />} title="Nobody fits" description="Look for another name, code or role." />
              ) : (
                <AgentTable agents={shown} onOpen={isAdmin ? open : null} />
              )}
              {isAdmin && (
                <AgentDrawer
                  me={me}
                  opened={opened === 'new' ? 'new' : (all.find((agent) => agent.id === opened) ?? null)}
                  onClose={() => open(null)}
                />
              )}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
