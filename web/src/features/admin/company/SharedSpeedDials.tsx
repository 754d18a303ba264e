import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CompanyView } from '../../../../../src/contract/companies.ts';
import { maxSpeedDials } from '../../../../../src/contract/dialingLimits.ts';
import { SpeedDialEditor } from '../../dialing/SpeedDialEditor.tsx';
import { Section } from '../components/Page.tsx';
import { toast } from '../components/toast.ts';
import { useLeaveGuard } from '../shell/leaveGuard.tsx';
import { updateCompany } from './companyQueries.ts';

/** Whom every agent dials by one press. */
export function SharedSpeedDials({ company }: { company: CompanyView }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [isEdited, setEdited] = useState(false);
  useLeaveGuard(isEdited ? 'unsavedChanges' : null);
  return (
    <Section title={t('admin.company.speed_dials.title')} note={t('admin.company.speed_dials.note')}>
      <SpeedDialEditor
        label={t('admin.company.speed_dials.title')}
        entries={company.speed_dials}
        field="speed_dials"
        max={maxSpeedDials.shared}
        save={(entries) => updateCompany(queries, { speed_dials: entries })}
        onEdited={setEdited}
        onSaved={() => toast(t('admin.company.speed_dials.saved'))}
      />
    </Section>
  );
}
