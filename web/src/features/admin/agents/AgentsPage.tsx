import { useState } from 'react';
import { Button, Drawer, EmptyState } from '@mantine/core';
import { IconPlus, IconSearchOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AgentView } from '../../../../../src/contract/agents.ts';
import type { SignedInAgent } from '../../../../../src/contract/auth.ts';
import { useAddressFilter } from '../../../shared/list/addressFilter.ts';
import { agentsQuery } from '../../../shared/sharedQueries.ts';
import { Loaded } from '../components/Loaded.tsx';
import { Page, ReloadButton } from '../components/Page.tsx';
import { useLast } from '../components/useAsked.ts';
import { useAccount } from '../shell/accountContext.ts';
import { askToLeave } from '../../../shared/form/leaveGuard.ts';
import { AgentFilters, AgentTable, everyAgent, fits } from './AgentTable.tsx';
import { EditAgent } from './EditAgent.tsx';
import { NewAgent } from './NewAgent.tsx';

/** The company's accounts. Supervisors see them, admins change them. */
export function AgentsPage() {
  const { t } = useTranslation();
  const { agent: me } = useAccount();
  const agents = useQuery(agentsQuery);
  const [filter, setFilter] = useState(everyAgent);
  const { opened, set } = useAddressFilter([], 'agent');
  const open = (id: string | null) => set({ agent: id ?? '' });
  const isAdmin = me.role === 'admin';
  return (
    <Page
      title={t('admin.pages.agents')}
      actions={
        <>
          {isAdmin && (
            <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => open('new')}>
              {t('admin.agents.new')}
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
                <EmptyState
                  icon={<IconSearchOff />}
                  title={t('admin.agents.nobody.title')}
                  description={t('admin.agents.nobody.text')}
                />
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

type AgentDrawerProps = {
  me: SignedInAgent;
  /** Null: closed. */
  opened: AgentView | 'new' | null;
  onClose: () => void;
};

/** One account beside the list. */
function AgentDrawer({ me, opened, onClose }: AgentDrawerProps) {
  const { t } = useTranslation();
  const shown = useLast(opened);
  return (
    <Drawer
      opened={opened !== null}
      onClose={() => askToLeave(onClose)}
      position="right"
      size={480}
      title={shown === 'new' || shown === null ? t('admin.agents.new') : shown.name}
    >
      {/* What would be typed into a form that slides out, or is about to give way to another, would be lost. */}
      <div inert={opened === null}>
        {shown === 'new' && <NewAgent onDone={onClose} />}
        {shown !== 'new' && shown !== null && <EditAgent key={shown.id} agent={shown} me={me} onDone={onClose} />}
      </div>
    </Drawer>
  );
}
