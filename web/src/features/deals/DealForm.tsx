import { Alert, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PipelineView } from '../../../../src/contract/pipelines.ts';
import { ApiProblem, fieldText, messageOf } from '../../lib/gateway/apiProblem.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { OrganisationSelect } from '../contacts/OrganisationSelect.tsx';
import { AskBeforeLeaving } from '../crm/AskBeforeLeaving.tsx';
import { searchedFrom, useOwners } from '../crm/useOwners.ts';
import { amountOf, isAmount } from './amounts.ts';
import { ContactSelect } from '../contacts/ContactSelect.tsx';
import { currencies } from './currencies.ts';
import type { DealValues } from './dealForm.ts';
import { useDecimalSign } from './useDecimalSign.ts';

type Props = {
  /** What the form begins with. */
  initial: DealValues;
  pipelines: readonly PipelineView[];
  /** Who looks after the deal now, where that is somebody. */
  owner?: { id: string; name: string } | null;
  /** What keeps it from being saved as it is, said above the buttons. */
  notice?: ReactNode;
  error: unknown;
  isSaving: boolean;
  saveText: string;
  onSave: (values: DealValues) => void;
  onCancel: () => void;
};

/** Everything that may be said of a deal. What was typed stays, whatever the gateway has against it. */
export function DealForm({
  initial,
  pipelines,
  owner = null,
  notice,
  error,
  isSaving,
  saveText,
  onSave,
  onCancel,
}: Props) {
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
  const faultAt = (field: string) => {
    const fault = error instanceof ApiProblem ? error.errors.find(({ path }) => path === field) : undefined;
    return fault === undefined ? undefined : fieldText(t, fault);
  };
  const owners = useOwners(owner);
  const stages = pipelines.map((pipeline) => ({
    group: pipeline.name,
    items: pipeline.stages.map(({ id, name }) => ({ value: id, label: name })),
  }));
  const amount = amountOf(value, decimal);
  const input = (name: 'name' | 'value' | 'expected_close') => ({
    ...form.getInputProps(name),
    error: form.errors[name] ?? faultAt(name),
  });
  const select = (name: 'currency' | 'owner_id' | 'stage_id') => ({
    value: form.values[name] === '' ? null : form.values[name],
    onChange: (chosen: string | null) => form.setFieldValue(name, chosen ?? ''),
    error: form.errors[name] ?? faultAt(name),
  });

  return (
    <form onSubmit={form.onSubmit((values) => onSave(values))} noValidate>
      <AskBeforeLeaving isTyped={form.isDirty() && !isSaving} />
      <Stack gap="sm" maw={640}>
        <TextInput label={t('deals.deal.name')} maxLength={200} autoComplete="off" required {...input('name')} />
        <Select
          label={t('deals.deal.stage')}
          data={pipelines.length === 1 ? (stages[0]?.items ?? []) : stages}
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
            {...input('value')}
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
        <TextInput type="date" label={t('deals.deal.expectedClose')} max="9999-12-31" {...input('expected_close')} />
        <ContactSelect
          label={t('deals.deal.contact')}
          value={form.values.contact}
          onChange={(chosen) => form.setFieldValue('contact', chosen)}
          error={faultAt('contact_id')}
        />
        <OrganisationSelect
          value={form.values.organisation}
          onChange={(chosen) => form.setFieldValue('organisation', chosen)}
          error={faultAt('organisation_id')}
        />
        <Select
          label={t('deals.deal.owner')}
          placeholder={t('crmArea.form.nobody')}
          data={owners}
          searchable={owners.length >= searchedFrom}
          clearable
          {...select('owner_id')}
        />
        {notice}
        {error !== null && notice === undefined && (
          <Alert color="red" variant="light" role="alert">
            {messageOf(t, error)}
          </Alert>
        )}
        <Group gap="xs">
          <Button type="submit" loading={isSaving}>
            {saveText}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {t('crmArea.form.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
