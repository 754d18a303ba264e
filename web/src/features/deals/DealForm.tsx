import { Group, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import type { PipelineView } from '../../../../src/contract/pipelines.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { OrganisationSelect } from '../contacts/OrganisationSelect.tsx';
import { AreaForm, type FormEnd } from '../crm/AreaForm.tsx';
import { OwnerSelect } from '../crm/OwnerSelect.tsx';
import { amountOf, isAmount } from './amounts.ts';
import { ContactSelect } from '../contacts/ContactSelect.tsx';
import { currencies } from './currencies.ts';
import { type DealValues, formPath, stageOptions } from './dealForm.ts';
import { useDecimalSign } from './useDecimalSign.ts';

type Props = FormEnd & {
  /** What the form begins with. */
  initial: DealValues;
  pipelines: readonly PipelineView[];
  /** Who looks after the deal now, where that is somebody. */
  owner?: { id: string; name: string } | null;
  onSave: (values: DealValues) => void;
};

/** Everything that may be said of a deal. */
export function DealForm({ initial, pipelines, owner = null, onSave, ...end }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const decimal = useDecimalSign();
  const form = useForm<DealValues>({
    initialValues: initial,
    validate: {
      name: (name) => (name.trim() === '' ? t('deals.form.noName') : null),
      value: (value) => (value.trim() === '' || isAmount(amountOf(value, decimal)) ? null : t('deals.form.noAmount')),
      currency: (currency, { value }) => (value.trim() !== '' && currency === '' ? t('deals.form.noCurrency') : null),
    },
  });
  const { value, currency } = form.values;
  const amount = amountOf(value, decimal);
  const select = (name: 'currency' | 'owner_id' | 'stage_id') => ({
    value: form.values[name] === '' ? null : form.values[name],
    onChange: (chosen: string | null) => form.setFieldValue(name, chosen ?? ''),
    error: form.errors[name],
  });

  return (
    <AreaForm form={form} fieldOf={formPath} onSave={onSave} {...end}>
      <TextInput
        label={t('deals.deal.name')}
        maxLength={200}
        autoComplete="off"
        required
        {...form.getInputProps('name')}
      />
      <Select
        label={t('deals.deal.stage')}
        data={stageOptions(pipelines)}
        allowDeselect={false}
        {...select('stage_id')}
      />
      <Group grow align="flex-start">
        <TextInput
          label={t('deals.deal.value')}
          // What the gateway will be told, as signs between digits are read otherwise in other languages.
          description={isAmount(amount) && currency !== '' ? format.money(amount, currency) : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          inputMode="decimal"
          autoComplete="off"
          maxLength={30}
          {...form.getInputProps('value')}
        />
        <Select
          label={t('deals.deal.currency')}
          searchable
          limit={50}
          data={currencies}
          clearable
          {...select('currency')}
        />
      </Group>
      <TextInput
        type="date"
        label={t('deals.deal.expectedClose')}
        max="9999-12-31"
        {...form.getInputProps('expected_close')}
      />
      <ContactSelect label={t('deals.deal.contact')} {...form.getInputProps('contact')} value={form.values.contact} />
      <OrganisationSelect {...form.getInputProps('organisation')} value={form.values.organisation} />
      <OwnerSelect owner={owner} label={t('deals.deal.owner')} {...select('owner_id')} />
    </AreaForm>
  );
}
