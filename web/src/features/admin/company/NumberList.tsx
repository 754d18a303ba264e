import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CompanyView } from '../../../../../src/contract/companies.ts';
import { maxLines, maxSpeedDials } from '../../../../../src/contract/dialingLimits.ts';
import { blankDial, SpeedDialEditor } from '../../dialing/SpeedDialEditor.tsx';
import { Section } from '../components/Page.tsx';
import { toast } from '../components/toast.ts';
import { useLeaveGuard } from '../../../shared/form/leaveGuard.ts';
import { updateCompany } from './companyQueries.ts';

type Field = 'lines' | 'speed_dials';
const most: Record<Field, number> = { lines: maxLines, speed_dials: maxSpeedDials.shared };

/** Whom every agent dials by one press; or what customers call. */
export function NumberList({ company, field }: { company: CompanyView; field: Field }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [isEdited, setEdited] = useState(false);
  useLeaveGuard(isEdited ? 'unsavedChanges' : null);
  return (
    <Section title={t(`admin.company.${field}.title`)} note={t(`admin.company.${field}.note`)}>
      <SpeedDialEditor
        label={t(`admin.company.${field}.title`)}
        entries={company[field]}
        blank={blankDial}
        field={field}
        max={most[field]}
        save={(entries) => updateCompany(queries, { [field]: entries })}
        onEdited={setEdited}
        onSaved={() => toast(t(`admin.company.${field}.saved`))}
      />
    </Section>
  );
}
