import type { FormEvent } from 'react';
import { NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import type { CompanyView } from '../../../../../src/contract/companies.ts';
import { Problem } from '../components/Loaded.tsx';
import { SaveBar } from '../components/SaveBar.tsx';
import { Section } from '../components/Section.tsx';
import { toast } from '../components/toast.ts';
import { useEditForm } from '../form/useEditForm.ts';
import { useUpdateCompany } from './companyQueries.ts';

type Props = { company: CompanyView };

/** The company's name, and how long agents have after a call. */
export function CompanyForm({ company }: Props) {
  const { form, changes, isChanged, reset, saved, refused } = useEditForm({
    name: company.name,
    wrap_up_seconds: company.wrap_up_seconds,
    wrap_up_max_seconds: company.wrap_up_max_seconds,
  });
  const save = useUpdateCompany();

  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate(changes, {
      onSuccess: () => {
        saved(changes);
        toast('The company is saved.');
      },
      onError: refused,
    });
  }

  return (
    <Section title="Company">
      <form onSubmit={submit}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" mb="sm">
          <TextInput
            label="Name"
            description={`Its short name for signing in is ${company.slug}`}
            {...form.getInputProps('name')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
          <NumberInput
            label="Wrap-up time"
            description="Seconds after a call before an agent is Ready again, 0 to 3600"
            {...form.getInputProps('wrap_up_seconds')}
            onChange={(value) => form.setFieldValue('wrap_up_seconds', typeof value === 'number' ? value : 0)}
            min={0}
            max={3600}
            allowDecimal={false}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
          <NumberInput
            label="Longest wrap-up"
            description="Seconds that typing may extend it to, 0 to 3600; no more than the wrap-up time: typing adds nothing"
            {...form.getInputProps('wrap_up_max_seconds')}
            onChange={(value) => form.setFieldValue('wrap_up_max_seconds', typeof value === 'number' ? value : 0)}
            min={0}
            max={3600}
            allowDecimal={false}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
        </SimpleGrid>
        <Problem error={save.error} fields={['name', 'wrap_up_seconds', 'wrap_up_max_seconds']} />
        <SaveBar isChanged={isChanged} isSaving={save.isPending} onReset={reset} />
      </form>
    </Section>
  );
}
