import { Select, TextInput } from '@mantine/core';
import type { ChangeEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { type DealSort, dealSorts } from '../../../../src/contract/deals.ts';
import type { PipelineView } from '../../../../src/contract/pipelines.ts';
import { dealStates } from '../../../../src/contract/vocabulary.ts';
import type { DealListFilter } from './DealList.tsx';
import classes from './DealList.module.css';

type Props = {
  pipeline: PipelineView;
  filter: DealListFilter;
  sort: DealSort;
  onChange: (change: Partial<DealListFilter>) => void;
};

/** What the list of deals is narrowed to, and how it is sorted. */
export function DealFilters({ pipeline, filter, sort, onChange }: Props) {
  const { t } = useTranslation();
  const day = (name: 'closes_from' | 'closes_until') =>
    ({
      type: 'date',
      size: 'xs',
      max: '9999-12-31',
      value: filter[name],
      onChange: (event: ChangeEvent<HTMLInputElement>) => onChange({ [name]: event.currentTarget.value }),
    }) as const;
  const select = (name: 'state' | 'stage') =>
    ({
      size: 'xs',
      placeholder: t('deals.filter.any'),
      value: filter[name] || null,
      clearable: true,
      onChange: (value: string | null) => onChange({ [name]: value ?? '' }),
    }) as const;
  return (
    <fieldset className={classes.filters} aria-label={t('deals.filter.label')}>
      <Select
        label={t('deals.filter.state')}
        data={dealStates.map((state) => ({ value: state, label: t(`deals.outcome.${state}`) }))}
        {...select('state')}
      />
      <Select
        label={t('deals.deal.stage')}
        data={pipeline.stages.map(({ id, name }) => ({ value: id, label: name }))}
        {...select('stage')}
      />
      <TextInput label={t('deals.filter.closesFrom')} {...day('closes_from')} />
      <TextInput label={t('deals.filter.closesUntil')} {...day('closes_until')} />
      <Select
        size="xs"
        label={t('deals.filter.sort')}
        data={dealSorts.map((value) => ({ value, label: t(`deals.sort.${value}`) }))}
        value={sort}
        allowDeselect={false}
        onChange={(value) => onChange({ sort: value ?? '' })}
      />
    </fieldset>
  );
}
