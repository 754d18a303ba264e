import { NumberInput, SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CompanyView } from '../../../../../src/contract/companies.ts';
import { useRecordForm } from '../../../shared/form/useRecordForm.ts';
import { Section } from '../components/Page.tsx';
import { RecordPanel } from '../components/RecordPanel.tsx';
import { toast } from '../components/toast.ts';
import { useUpdateCompany } from './companyQueries.ts';

const limits = ['wrap_up_seconds', 'on_call_seconds', 'not_ready_seconds', 'nobody_ready_seconds'] as const;

/** From when on the wallboard marks what takes long. */
export function WallboardLimits({ company }: { company: CompanyView }) {
  const { t } = useTranslation();
  const record = useRecordForm(company.wallboard_limits, {
    action: useUpdateCompany(),
    body: (changes) => ({ wallboard_limits: changes }),
    onSaved: () => toast(t('admin.company.limits.saved')),
  });
  const { form } = record;

  return (
    <Section title={t('admin.company.limits.title')} note={t('admin.company.limits.note')}>
      <RecordPanel record={record} fields={[...limits, 'wallboard_limits']}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {limits.map((name) => (
            <NumberInput
              key={name}
              label={t(`admin.company.limits.${name}`)}
              placeholder={t('admin.company.limits.never')}
              {...form.getInputProps(name)}
              value={form.values[name] ?? ''}
              onChange={(value) => form.setFieldValue(name, typeof value === 'number' ? value : null)}
              min={1}
              max={86_400}
              allowDecimal={false}
              allowLeadingZeros={false}
            />
          ))}
        </SimpleGrid>
      </RecordPanel>
    </Section>
  );
}
