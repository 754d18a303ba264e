import { type KeyboardEvent, useState } from 'react';
import { Button, Group, Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { deliveryEvents, deliveryStates, deliveryTargets } from '../../../../../src/contract/vocabulary.ts';
import { fromLocalInput, toLocalInput } from '../../../shared/localInput.ts';
import { useAddressFilter } from '../components/addressFilter.ts';
import { fieldErrors } from '../form/fieldErrors.ts';
import type { DeliveryFilter } from './deliveryQueries.ts';

const none: DeliveryFilter = { target: '', event: '', state: '', call_id: '', since: '', until: '' };

type Props = {
  filter: DeliveryFilter;
  isFiltered: boolean;
  error: unknown;
  onChange: (change: Partial<DeliveryFilter>) => void;
};

/** Which deliveries the list shows. */
export function Filters({ filter, isFiltered, error, onChange }: Props) {
  const { t } = useTranslation();
  const errors = fieldErrors(t, error);
  return (
    <Group component="search" align="flex-start" gap="sm">
      <Select
        label={t('admin.deliveries.filter.target')}
        placeholder={t('admin.deliveries.filter.any')}
        data={deliveryTargets.map((target) => ({ value: target, label: t(`admin.deliveries.target.${target}`) }))}
        value={filter.target || null}
        onChange={(target) => onChange({ target: target ?? '' })}
        error={errors['target']}
        clearable
        clearButtonProps={{ 'aria-label': t('admin.deliveries.filter.anyTarget') }}
        w={140}
      />
      <Select
        label={t('admin.deliveries.filter.event')}
        placeholder={t('admin.deliveries.filter.any')}
        data={[...deliveryEvents]}
        value={filter.event || null}
        onChange={(event) => onChange({ event: event ?? '' })}
        error={errors['event']}
        clearable
        clearButtonProps={{ 'aria-label': t('admin.deliveries.filter.anyEvent') }}
        w={170}
      />
      <Select
        label={t('admin.deliveries.filter.state')}
        placeholder={t('admin.deliveries.filter.any')}
        data={deliveryStates.map((state) => ({ value: state, label: t(`admin.deliveries.state.${state}`) }))}
        value={filter.state || null}
        onChange={(state) => onChange({ state: state ?? '' })}
        error={errors['state']}
        clearable
        clearButtonProps={{ 'aria-label': t('admin.deliveries.filter.anyState') }}
        w={140}
      />
      <CallIdFilter value={filter.call_id} error={errors['call_id']} onChange={onChange} />
      <TextInput
        label={t('admin.deliveries.filter.from')}
        type="datetime-local"
        step={1}
        value={toLocalInput(filter.since)}
        onChange={(event) => onChange({ since: fromLocalInput(event.currentTarget.value) })}
        error={errors['since']}
        w={200}
      />
      <TextInput
        label={t('admin.deliveries.filter.to')}
        type="datetime-local"
        step={1}
        value={toLocalInput(filter.until)}
        onChange={(event) => onChange({ until: fromLocalInput(event.currentTarget.value) })}
        error={errors['until']}
        w={200}
      />
      {isFiltered && (
        <Button variant="subtle" color="gray" mt={22} onClick={() => onChange(none)}>
          {t('admin.deliveries.filter.all')}
        </Button>
      )}
    </Group>
  );
}

/** Asks once the id is complete, not for every letter of it. */
function CallIdFilter({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange: Props['onChange'];
}) {
  const { t } = useTranslation();
  const [text, setText] = useState(value);
  const [applied, setApplied] = useState(value);
  if (value !== applied) {
    setApplied(value);
    setText(value);
  }
  const apply = () => {
    if (text.trim() !== value) onChange({ call_id: text.trim() });
  };
  const applyOnEnter = (event: KeyboardEvent) => {
    if (event.key === 'Enter') apply();
  };
  return (
    <TextInput
      label={t('admin.deliveries.filter.callId')}
      placeholder={t('admin.deliveries.filter.any')}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={applyOnEnter}
      error={error}
      spellCheck={false}
      w={290}
    />
  );
}

const names = ['target', 'event', 'state', 'call_id', 'since', 'until'] as const;

/** Which deliveries are listed, and which one is open. */
export function useFilter() {
  return useAddressFilter(names, 'delivery');
}
