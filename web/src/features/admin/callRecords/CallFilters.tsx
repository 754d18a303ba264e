import { useEffect, useEffectEvent, useState } from 'react';
import { Autocomplete, Button, Group, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CodeWithLabel } from '../../../../../src/contract/values.ts';
import { directions, endReasons } from '../../../../../src/contract/vocabulary.ts';
import { dispositionLabel } from '../../../shared/dispositionLabel.ts';
import { AgentSelect } from '../../../shared/list/AgentSelect.tsx';
import { typingPauseMs } from '../../../shared/list/useTyped.ts';
import { companyQuery, teamsQuery } from '../../../shared/sharedQueries.ts';
import { ChoiceFilter, TimeFilter } from '../components/filters.tsx';
import { fieldErrors } from '../../../shared/form/fieldErrors.ts';
import { type CallFilter, callFilters } from './callQueries.ts';
import { Days } from './Days.tsx';

type Props = {
  filter: CallFilter;
  isFiltered: boolean;
  error: unknown;
  onChange: (change: Partial<CallFilter>) => void;
};

/** Which calls the list shows. */
export function CallFilters({ filter, isFiltered, error, onChange }: Props) {
  const { t } = useTranslation();
  const errors = fieldErrors(t, error);
  const { data: company } = useQuery(companyQuery);
  const { data: teams = [] } = useQuery(teamsQuery);
  const one = (
    name: 'team_id' | 'direction' | 'end_reason' | 'disposition',
    data: { value: string; label: string }[],
  ) => (
    <ChoiceFilter
      label={t(`calls.filter.${name}`)}
      any={t('calls.filter.any')}
      clear={t('calls.filter.anyOf', { what: t(`calls.filter.${name}`) })}
      data={data}
      value={filter[name]}
      error={errors[name]}
      width={150}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  const time = (name: 'since' | 'until') => (
    <TimeFilter
      label={t(`calls.filter.${name}`)}
      step={1}
      value={filter[name]}
      error={errors[name]}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  return (
    <Group component="search" align="flex-start" gap="sm">
      <WordsFilter
        value={filter.q || filter.phone}
        error={errors['q'] ?? errors['phone']}
        onChange={(q) => onChange({ q, phone: '' })}
      />
      <AgentSelect
        label={t('calls.filter.agent_id')}
        placeholder={t('calls.filter.any')}
        clearable
        clearButtonProps={{ 'aria-label': t('calls.filter.anyOf', { what: t('calls.filter.agent_id') }) }}
        value={filter.agent_id || null}
        onChange={(id) => onChange({ agent_id: id ?? '' })}
        error={errors['agent_id']}
        w={200}
      />
      {teams.length > 0 &&
        one(
          'team_id',
          teams.map(({ id, name }) => ({ value: id, label: name })),
        )}
      {one(
        'direction',
        directions.map((value) => ({ value, label: t(`calls.direction.${value}`) })),
      )}
      {one(
        'end_reason',
        endReasons.map((value) => ({ value, label: t(`shared.callEnd.${value}`) })),
      )}
      {one(
        'disposition',
        (company?.dispositions ?? []).map((known) => ({ value: known.code, label: dispositionLabel(t, known) })),
      )}
      {company !== undefined && (company.tags.length > 0 || company.free_tags || filter.tag !== '') && (
        <TagFilter
          value={filter.tag}
          choices={company.tags}
          error={errors['tag']}
          onChange={(tag) => onChange({ tag })}
        />
      )}
      <Days since={filter.since} until={filter.until} onChange={onChange} />
      {time('since')}
      {time('until')}
      {isFiltered && (
        <Button
          variant="subtle"
          color="gray"
          mt={22}
          onClick={() => onChange(Object.fromEntries(callFilters.map((name) => [name, ''])))}
        >
          {t('calls.filter.all')}
        </Button>
      )}
    </Group>
  );
}

type TagProps = {
  value: string;
  choices: readonly CodeWithLabel[];
  error: string | undefined;
  onChange: (tag: string) => void;
};

/** One of the company's tags, or words that an agent chose. */
function TagFilter({ value, choices, error, onChange }: TagProps) {
  const { t } = useTranslation();
  const shown = choices.find(({ code }) => code === value)?.label ?? value;
  const [text, setText] = useState(shown);
  const [applied, setApplied] = useState(shown);
  if (shown !== applied) {
    setApplied(shown);
    setText(shown);
  }
  const apply = (written: string) => {
    const tag = written.trim();
    const chosen = choices.find(({ label }) => label === tag)?.code ?? tag;
    if (chosen !== value) onChange(chosen);
  };
  return (
    <Autocomplete
      label={t('calls.filter.tag')}
      placeholder={t('calls.filter.any')}
      data={[...new Set(choices.map(({ label }) => label))]}
      value={text}
      onChange={setText}
      onOptionSubmit={apply}
      onBlur={() => apply(text)}
      onKeyDown={({ key }) => key === 'Enter' && apply(text)}
      maxLength={60}
      error={error}
      w={180}
    />
  );
}

type WordsProps = { value: string; error: string | undefined; onChange: (words: string) => void };

/** Parts of a name or a number, or of what was noted; asked as somebody types. */
function WordsFilter({ value, error, onChange }: WordsProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(value);
  const [applied, setApplied] = useState(value);
  if (value !== applied) {
    setApplied(value);
    // What is being typed is ahead of the address.
    if (text.trim() !== value) setText(value);
  }
  const [sought] = useDebouncedValue(text.trim(), typingPauseMs);
  const apply = useEffectEvent((words: string) => {
    if (words !== value && words === text.trim()) onChange(words);
  });
  useEffect(() => apply(sought), [sought]);
  return (
    <TextInput
      type="search"
      label={t('calls.filter.q')}
      placeholder={t('calls.filter.qHint')}
      leftSection={<IconSearch size={14} aria-hidden />}
      maxLength={200}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      error={error}
      w={220}
    />
  );
}
