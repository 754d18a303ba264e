import { NumberInput, SimpleGrid } from '@mantine/core';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { CompanyView } from '../../../../../src/contract/companies.ts';
import { Problem } from '../components/Loaded.tsx';
import { Section } from '../components/Page.tsx';
import { SaveBar } from '../components/SaveBar.tsx';
import { toast } from '../components/toast.ts';
import { useEditForm } from '../form/useEditForm.ts';
import { useUpdateCompany } from './companyQueries.ts';

const limits = ['wrap_up_seconds', 'on_call_seconds', 'not_ready_seconds', 'nobody_ready_seconds'] as const;

/** From when on the wallboard marks what takes long. */
export function WallboardLimits({ company }: { company: CompanyView }) {
  const { t } = useTranslation();
  const { form, changes, isChanged, reset, saved, refused } = useEditForm(company.wallboard_limits);
  const save = useUpdateCompany();

  function submit(event: FormEvent): void {
    event.preventDefault();
    save.run(
      { wallboard_limits: changes },
      {
        onSuccess: () => {
          saved(changes);
          toast(t('admin.company.limits.saved'));
        },
        onError: refused,
      },
    );
  }

  return (
    <Section title={t('admin.company.limits.title')} note={t('admin.company.limits.note')}>
      <form onSubmit={submit}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" mb="sm">
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
        <Problem error={save.error} fields={[...limits, 'wallboard_limits']} />
        <SaveBar isChanged={isChanged} isSaving={save.isPending} onReset={reset} />
      </form>
    </Section>
  );
}
