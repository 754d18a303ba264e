import { Button, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PipelineView } from '../../../../../src/contract/pipelines.ts';
import { useRecordForm } from '../../../shared/form/useRecordForm.ts';
import { FormButtons } from '../components/FormButtons.tsx';
import { Section } from '../components/Page.tsx';
import { RecordPanel } from '../components/RecordPanel.tsx';
import { toast } from '../components/toast.ts';
import { useFollowedRow } from '../components/useFollowedRow.ts';
import { useSavePipeline } from './pipelineQueries.ts';
import { StageRow } from './StageRow.tsx';
import { newStage, stagesBody, type StageValues, stageValues } from './stages.ts';

/** As many as the gateway takes. */
const maxStages = 30;

/** @param pipeline null: a new one @param count how many there are; a new one comes last */
type Props = { pipeline: PipelineView | null; count: number; onDone: () => void };

/** The form of a pipeline and its stages, in the order that deals go through. */
export function PipelineForm({ pipeline, count, onDone }: Props) {
  const { t } = useTranslation();
  // As it was when the form was opened: saving it later is refused where somebody else has changed it.
  const [read] = useState(pipeline);
  const [initial] = useState(() => ({
    name: read?.name ?? t('admin.pipelines.first.name'),
    stages:
      read === null
        ? [
            newStage(t('admin.pipelines.first.new'), 'open', 10),
            newStage(t('admin.pipelines.first.offer'), 'open', 50),
            newStage(t('admin.pipelines.first.won'), 'won', 100),
            newStage(t('admin.pipelines.first.lost'), 'lost', 0),
          ]
        : stageValues(read),
  }));
  const record = useRecordForm(initial, {
    action: useSavePipeline(read),
    body: (_changes, values) => ({
      name: values.name.trim(),
      position: read?.position ?? count,
      stages: stagesBody(values.stages),
    }),
    validate: (values) => ({
      name: isNamed(values) ? null : t('admin.pipelines.noName'),
      ...Object.fromEntries(
        values.stages.map((stage, index) => [
          `stages.${String(index)}.name`,
          isNamed(stage) ? null : t('admin.pipelines.noName'),
        ]),
      ),
    }),
    isGuarded: false,
    onSaved: () => {
      toast(t('admin.pipelines.saved'));
      onDone();
    },
  });
  const { form } = record;
  const { stages } = form.values;
  const setStages = (changed: StageValues[]) => form.setFieldValue('stages', changed);
  const { list, follow, followMoved } = useFollowedRow<HTMLFieldSetElement>(stages, 'data-stage');

  function move(index: number, by: -1 | 1): void {
    const moved = stages[index];
    if (moved === undefined) return;
    followMoved(moved.key, by);
    setStages(stages.toSpliced(index, 1).toSpliced(index + by, 0, moved));
  }

  function add(): void {
    const stage = newStage();
    follow(stage.key, 'input');
    setStages([...stages, stage]);
  }

  return (
    <Section title={read === null ? t('admin.pipelines.add') : t('admin.pipelines.editOf', { name: read.name })}>
      <RecordPanel
        record={record}
        fields={['name', 'stages']}
        maw={720}
        end={<FormButtons save={t('admin.pipelines.save')} isSaving={record.isSaving} onCancel={onDone} />}
      >
        <TextInput
          label={t('admin.pipelines.name')}
          data-autofocus
          maxLength={200}
          maw={480}
          {...form.getInputProps('name')}
        />
        <Text size="sm">{t('admin.pipelines.stagesHint')}</Text>
        <fieldset
          ref={list}
          aria-label={t('admin.pipelines.stages')}
          style={{ minWidth: 0, margin: 0, padding: 0, border: 0 }}
        >
          <Stack gap={6}>
            {stages.map((stage, index) => (
              <StageRow
                key={stage.key}
                stage={stage}
                index={index}
                count={stages.length}
                error={form.errors[`stages.${String(index)}.name`]}
                onChange={(changed) => setStages(stages.with(index, changed))}
                onMove={(by) => move(index, by)}
                onRemove={() => setStages(stages.toSpliced(index, 1))}
              />
            ))}
          </Stack>
        </fieldset>
        {form.errors['stages'] !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {form.errors['stages']}
          </Text>
        )}
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={add}
          disabled={stages.length >= maxStages}
          style={{ alignSelf: 'flex-start' }}
        >
          {t('admin.pipelines.addStage')}
        </Button>
      </RecordPanel>
    </Section>
  );
}

function isNamed({ name }: { name: string }): boolean {
  return name.trim() !== '';
}
