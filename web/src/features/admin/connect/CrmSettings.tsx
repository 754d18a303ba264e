import { type FormEvent, useMemo } from 'react';
import { Select, SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { IntegrationOverview } from '../../../../../src/contract/integrations.ts';
import { mentions } from '../../../shared/foldText.ts';
import { Problem } from '../components/Loaded.tsx';
import { SaveBar } from '../components/SaveBar.tsx';
import { Section } from '../components/Section.tsx';
import { toast } from '../components/toast.ts';
import { useEditForm } from '../form/useEditForm.ts';
import { labelNote, useUpdateIntegration } from './integrationQueries.ts';

type Props = { overview: IntegrationOverview };

const options = (catalog: readonly { id: string; name: string }[]) => catalog.map(({ id, name }) => ({ value: id, label: name }));

/** Which CRM and connector, what fills a screen pop, and the country of national numbers. */
export function CrmSettings({ overview: { integration, providers, cti_connectors: connectors, modes } }: Props) {
  const { t } = useTranslation();
  const { crm_provider, cti_connector, mode, default_country } = integration;
  const { form, changes, isChanged, reset, saved, refused } = useEditForm({ crm_provider, cti_connector, mode, default_country });
  const save = useUpdateIntegration();
  const countryOptions = useMemo(() => countries(), []);

  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate(changes, {
      onSuccess: () => {
        saved(changes);
        toast('The connection is saved.');
      },
      onError: refused,
    });
  }

  return (
    <Section title="CRM">
      <form onSubmit={submit}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" mb="sm">
          <Select
            label="CRM"
            data={options(providers)}
            description={labelNote(t, providers, form.values.crm_provider)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.getInputProps('crm_provider')}
            allowDeselect={false}
          />
          <Select
            label="CTI connector"
            data={options(connectors)}
            description={labelNote(t, connectors, form.values.cti_connector)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.getInputProps('cti_connector')}
            placeholder="None chosen"
            allowDeselect={false}
          />
          <Select
            label="Screen pops show"
            data={options(modes)}
            {...form.getInputProps('mode')}
            allowDeselect={false}
          />
          <Select
            label="Default country"
            description="Numbers without + are read as this country’s"
            data={countryOptions}
            {...form.getInputProps('default_country')}
            placeholder="International numbers only"
            searchable
            filter={({ options, search }) => options.filter((option) => 'label' in option && mentions([option.label], search))}
            clearable
            clearButtonProps={{ 'aria-label': 'No country' }}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
        </SimpleGrid>
        <Problem error={save.error} fields={['crm_provider', 'cti_connector', 'mode', 'default_country']} />
        <SaveBar isChanged={isChanged} isSaving={save.isPending} onReset={reset} />
      </form>
    </Section>
  );
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Codes that browsers name, of areas which have no telephone numbers of their own. */
const noCountries = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);

/** Every country that this browser has a name for, in order of the names. */
function countries(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !noCountries.has(code))
    .flatMap((code) => {
      const name = names.of(code);
      return name === undefined ? [] : [{ value: code, label: `${name} (${code})` }];
    })
    .sort((one, other) => one.label.localeCompare(other.label, 'en'));
}
