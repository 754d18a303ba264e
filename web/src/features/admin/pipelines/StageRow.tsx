import { Group, NumberInput, Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type DealState, dealStates } from '../../../../../src/contract/vocabulary.ts';
import { RowActions } from '../components/RowActions.tsx';
import type { StageValues } from './stages.ts';

type Props = {
  stage: StageValues;
  index: number;
  count: number;
  error: ReactNode;
  onChange: (stage: StageValues) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
};

/** How likely a deal is won that has come to its end, in percent. */
const certain = { won: 100, lost: 0 } as const;

/** One stage: its name, what a deal in it is, how likely it is won, and its place. */
export function StageRow({ stage, index, count, error, onChange, onMove, onRemove }: Props) {
  const { t } = useTranslation();
  const number = index + 1;
  function end(outcome: DealState): void {
    onChange({ ...stage, outcome, probability: outcome === 'open' ? stage.probability : certain[outcome] });
  }

  return (
    <Group gap="xs" align="flex-start" data-stage={stage.key}>
      <TextInput
        style={{ flex: '1 1 10rem' }}
        size="xs"
        aria-label={t('admin.pipelines.stageName', { number })}
        maxLength={200}
        value={stage.name}
        error={error}
        onChange={(event) => onChange({ ...stage, name: event.currentTarget.value })}
      />
      <Select
        w={120}
        size="xs"
        aria-label={t('admin.pipelines.outcomeOf', { number })}
        allowDeselect={false}
        data={dealStates.map((value) => ({ value, label: t(`admin.pipelines.outcomes.${value}`) }))}
        value={stage.outcome}
        onChange={(value) => value !== null && end(value)}
      />
      <NumberInput
        w={90}
        size="xs"
        aria-label={t('admin.pipelines.probabilityOf', { number })}
        min={0}
        max={100}
        allowDecimal={false}
        suffix="%"
        disabled={stage.outcome !== 'open'}
        value={stage.probability}
        onChange={(value) => onChange({ ...stage, probability: Number(value) })}
      />
      <RowActions
        actions={[
          { part: 'up', text: t('admin.pipelines.up', { number }), isOff: index === 0, act: () => onMove(-1) },
          {
            part: 'down',
            text: t('admin.pipelines.down', { number }),
            isOff: index === count - 1,
            act: () => onMove(1),
          },
          { part: 'remove', text: t('admin.pipelines.removeStage', { number }), isOff: count === 1, act: onRemove },
        ]}
      />
    </Group>
  );
}
