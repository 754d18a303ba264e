import { Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type DealSort, dealSorts } from '../../../../src/contract/deals.ts';
import type { PipelineView } from '../../../../src/contract/pipelines.ts';
import { dealStates } from '../../../../src/contract/vocabulary.ts';
import classes from './DealList.module.css';

type Props = {
  pipeline: PipelineView;
  asked: URLSearchParams;
  sort: DealSort;
  onAsk: (name: string, value: string | null) => void;
};

/** What the list of deals is narrowed to, and how it is sorted. */
export function DealFilters({ pipeline, asked, sort, onAsk }: Props) {
  const { t } = useTranslation();
  const input = (name: string) => ({ size: 'xs', value: asked.get(name) ?? '' }) as const;
  const select = (name: string) =>
    ({
      size: 'xs',
      value: asked.get(name),
      clearable: true,
      onChange: (value: string | null) => onAsk(name, value),
    }) as const;
  return (
    <fieldset className={classes.filters} aria-label={t('deals.filter.label')}>
      <Select
        label={t('deals.filter.state')}
        placeholder={t('deals.filter.any')}
        data={dealStates.map((state) => ({ value: state, label: t(`deals.outcome.${state}`) }))}
        {...select('state')}
      />
      <Select
        label={t('deals.deal.stage')}
        placeholder={t('deals.filter.any')}
        data={pipeline.stages.map(({ id, name }) => ({ value: id, label: name }))}
        {...select('stage')}
      />
      <TextInput
        type="date"
        label={t('deals.filter.closesFrom')}
        max="9999-12-31"
        {...input('closes_from')}
        onChange={(event) => onAsk('closes_from', event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label={t('deals.filter.closesUntil')}
        max="9999-12-31"
        {...input('closes_until')}
        onChange={(event) => onAsk('closes_until', event.currentTarget.value)}
      />
      <Select
        size="xs"
        label={t('deals.filter.sort')}
        data={dealSorts.map((value) => ({ value, label: t(`deals.sort.${value}`) }))}
        value={sort}
        allowDeselect={false}
        onChange={(value) => onAsk('sort', value)}
      />
    </fieldset>
  );
}
