import { type KeyboardEvent, useState } from 'react';
import { Button, Group, type SelectProps, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { deliveryEvents, deliveryStates, deliveryTargets } from '../../../../../src/contract/vocabulary.ts';
import { ChoiceFilter, TimeFilter } from '../components/filters.tsx';
import { fieldErrors } from '../../../shared/form/fieldErrors.ts';
import { type DeliveryFilter, deliveryFilters } from './deliveryQueries.ts';

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
  const one = (
    name: 'target' | 'event' | 'state',
    any: 'anyTarget' | 'anyEvent' | 'anyState',
    data: NonNullable<SelectProps['data']>,
    width: number,
  ) => (
    <ChoiceFilter
      label={t(`admin.deliveries.filter.${name}`)}
      any={t('admin.deliveries.filter.any')}
      clear={t(`admin.deliveries.filter.${any}`)}
      data={data}
      value={filter[name]}
      error={errors[name]}
      width={width}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  const time = (name: 'since' | 'until', label: 'from' | 'to') => (
    <TimeFilter
      label={t(`admin.deliveries.filter.${label}`)}
      step={1}
      value={filter[name]}
      error={errors[name]}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  return (
    <Group component="search" align="flex-start" gap="sm">
      {one(
        'target',
        'anyTarget',
        deliveryTargets.map((value) => ({ value, label: t(`admin.deliveries.target.${value}`) })),
        140,
      )}
      {one('event', 'anyEvent', [...deliveryEvents], 170)}
      {one(
        'state',
        'anyState',
        deliveryStates.map((value) => ({ value, label: t(`admin.deliveries.state.${value}`) })),
        140,
      )}
      <CallIdFilter value={filter.call_id} error={errors['call_id']} onChange={onChange} />
      {time('since', 'from')}
      {time('until', 'to')}
      {isFiltered && (
        <Button
          variant="subtle"
          color="gray"
          mt={22}
          onClick={() => onChange(Object.fromEntries(deliveryFilters.map((name) => [name, ''])))}
        >
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
