import { MultiSelect, SimpleGrid } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CompanyView } from '../../../../../src/contract/companies.ts';
import type { OutgoingNumber } from '../../../../../src/contract/dialing.ts';
import { maxOutgoingNumbers } from '../../../../../src/contract/dialingLimits.ts';
import { useLeaveGuard } from '../../../shared/form/leaveGuard.ts';
import { agentsQuery, teamsQuery } from '../../../shared/sharedQueries.ts';
import { SpeedDialEditor } from '../../dialing/SpeedDialEditor.tsx';
import { Section } from '../components/Page.tsx';
import { toast } from '../components/toast.ts';
import { updateCompany } from './companyQueries.ts';

const blank: OutgoingNumber = { name: '', phone_number: '', agent_ids: [], team_ids: [] };
/** So many fitting ones are offered at once; typing finds the others. */
const offeredAtMost = 50;

/** The numbers that customers see, and who calls by which. */
export function OutgoingNumbers({ company }: { company: CompanyView }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [isEdited, setEdited] = useState(false);
  useLeaveGuard(isEdited ? 'unsavedChanges' : null);
  const { data: agents = [] } = useQuery(agentsQuery);
  const { data: teams = [] } = useQuery(teamsQuery);
  const title = t('admin.company.outgoing_numbers.title');
  return (
    <Section title={title} note={t('admin.company.outgoing_numbers.note')}>
      <SpeedDialEditor
        label={title}
        entries={company.outgoing_numbers}
        blank={blank}
        field="outgoing_numbers"
        max={maxOutgoingNumbers}
        more={({ agent_ids: agentIds, team_ids: teamIds }, set, name) => (
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={4}>
            <MultiSelect
              size="xs"
              aria-label={t('admin.company.outgoing_numbers.agentsOf', { name })}
              placeholder={agentIds.length === 0 ? t('admin.company.outgoing_numbers.agents') : undefined}
              searchable
              hidePickedOptions
              limit={offeredAtMost}
              data={agents
                .filter(({ id, active, role }) => (active && role !== 'dialer') || agentIds.includes(id))
                .map(({ id, name: agent, agent_code: code }) => ({ value: id, label: `${agent} (${code})` }))}
              value={agentIds}
              onChange={(chosen) => set({ agent_ids: chosen })}
            />
            <MultiSelect
              size="xs"
              aria-label={t('admin.company.outgoing_numbers.teamsOf', { name })}
              placeholder={teamIds.length === 0 ? t('admin.company.outgoing_numbers.teams') : undefined}
              searchable
              hidePickedOptions
              limit={offeredAtMost}
              data={teams.map(({ id, name: team }) => ({ value: id, label: team }))}
              // Of a team that is gone nothing is shown; nor kept, once the list is changed.
              value={teamIds.filter((id) => teams.some((team) => team.id === id))}
              onChange={(chosen) => set({ team_ids: chosen })}
            />
          </SimpleGrid>
        )}
        save={(entries) => updateCompany(queries, { outgoing_numbers: entries })}
        onEdited={setEdited}
        onSaved={() => toast(t('admin.company.outgoing_numbers.saved'))}
      />
    </Section>
  );
}
