import type { FormEvent } from 'react';
import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CompanyView } from '../../../../../src/contract/companies.ts';
import { languages } from '../../../../../src/contract/vocabulary.ts';
import { languageNames } from '../../../lib/i18n/languages.ts';
import { Problem } from '../components/Loaded.tsx';
import { SaveBar } from '../components/SaveBar.tsx';
import { Section } from '../components/Section.tsx';
import { toast } from '../components/toast.ts';
import { useEditForm } from '../form/useEditForm.ts';
import { useUpdateCompany } from './companyQueries.ts';

type Props = { company: CompanyView };

/** The company's name, and how long agents have after a call. */
export function CompanyForm({ company }: Props) {
  const { t } = useTranslation();
  const { form, changes, isChanged, reset, saved, refused } = useEditForm({
    name: company.name,
    wrap_up_seconds: company.wrap_up_seconds,
    wrap_up_max_seconds: company.wrap_up_max_seconds,
    language: company.language,
  });
  const save = useUpdateCompany();

  function submit(event: FormEvent): void {
    event.preventDefault();
    save.run(changes, {
      onSuccess: () => {
        saved(changes);
        toast(t('admin.company.saved'));
      },
      onError: refused,
    });
  }

  return (
    <Section title={t('admin.company.title')}>
      <form onSubmit={submit}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" mb="sm">
          <TextInput
            label={t('admin.company.name')}
            description={t('admin.company.slug', { slug: company.slug })}
            {...form.getInputProps('name')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
          <NumberInput
            label={t('admin.company.wrapUp')}
            description={t('admin.company.wrapUpHint')}
            {...form.getInputProps('wrap_up_seconds')}
            onChange={(value) => form.setFieldValue('wrap_up_seconds', typeof value === 'number' ? value : 0)}
            min={0}
            max={3600}
            allowDecimal={false}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
          <NumberInput
            label={t('admin.company.longest')}
            description={t('admin.company.longestHint')}
            {...form.getInputProps('wrap_up_max_seconds')}
            onChange={(value) => form.setFieldValue('wrap_up_max_seconds', typeof value === 'number' ? value : 0)}
            min={0}
            max={3600}
            allowDecimal={false}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
          <Select
            label={t('admin.company.language')}
            description={t('admin.company.languageHint')}
            placeholder={languageNames.en}
            data={languages.map((language) => ({ value: language, label: languageNames[language] }))}
            {...form.getInputProps('language')}
            clearable
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
        </SimpleGrid>
        <Problem error={save.error} fields={['name', 'wrap_up_seconds', 'wrap_up_max_seconds', 'language']} />
        <SaveBar isChanged={isChanged} isSaving={save.isPending} onReset={reset} />
      </form>
    </Section>
  );
}
