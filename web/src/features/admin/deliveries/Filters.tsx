import { useState, type KeyboardEvent } from 'react';
import { Button, Group, Select, TextInput } from '@mantine/core';
import { deliveryStates, webhookEvents } from '../../../../../src/contract/vocabulary.ts';
import type { DeliveryFilter } from './deliveryQueries.ts';
import { fieldError } from '../form/fieldErrors.ts';
import { deliveryLooks } from './DeliveryState.tsx';
import { fromLocalInput, toLocalInput } from './localTime.ts';

const none: DeliveryFilter = { event: '', state: '', call_id: '', since: '', until: '' };

type Props = {
  filter: DeliveryFilter;
  isFiltered: boolean;
  error: unknown;
  onChange: (change: Partial<DeliveryFilter>) => void;
};

/** Which deliveries the list shows. */
export function Filters({ filter, isFiltered, error, onChange }: Props) {
  return (
    <Group component="search" align="flex-start" gap="sm">
      <Select
        label="Event"
        placeholder="Any"
        data={[...webhookEvents]}
        value={filter.event || null}
        onChange={(event) => onChange({ event: event ?? '' })}
        error={fieldError(error, 'event')}
        clearable
        clearButtonProps={{ 'aria-label': 'Any event' }}
        w={170}
      />
      <Select
        label="State"
        placeholder="Any"
        data={deliveryStates.map((state) => ({ value: state, label: deliveryLooks[state].label }))}
        value={filter.state || null}
        onChange={(state) => onChange({ state: state ?? '' })}
        error={fieldError(error, 'state')}
        clearable
        clearButtonProps={{ 'aria-label': 'Any state' }}
        w={140}
      />
      <CallIdFilter value={filter.call_id} error={fieldError(error, 'call_id')} onChange={onChange} />
      <TextInput
        label="From"
        type="datetime-local"
        step={1}
        value={toLocalInput(filter.since)}
        onChange={(event) => onChange({ since: fromLocalInput(event.currentTarget.value) })}
        error={fieldError(error, 'since')}
        w={200}
      />
      <TextInput
        label="To"
        type="datetime-local"
        step={1}
        value={toLocalInput(filter.until)}
        onChange={(event) => onChange({ until: fromLocalInput(event.currentTarget.value) })}
        error={fieldError(error, 'until')}
        w={200}
      />
      {isFiltered && (
        <Button variant="subtle" color="gray" mt={22} onClick={() => onChange(none)}>
          Show all
        </Button>
      )}
    </Group>
  );
}

/** Asks once the id is complete, not for every letter of it. */
function CallIdFilter({ value, error, onChange }: { value: string; error: string | null; onChange: Props['onChange'] }) {
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
      label="Call id"
      placeholder="Any"
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
