import { Button, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PipelineView } from '../../../../../src/contract/pipelines.ts';
import { FormButtons } from '../components/FormButtons.tsx';
import { Problem } from '../components/Loaded.tsx';
import { Section } from '../components/Page.tsx';
import { toast } from '../components/toast.ts';
import { fieldErrors } from '../form/fieldErrors.ts';
import { useSavePipeline } from './pipelineQueries.ts';
import { StageRow } from './StageRow.tsx';
import { newStage, stagesBody, stageValues } from './stages.ts';

/** As many as the gateway takes. */
const maxStages = 30;

/** @param pipeline null: a new one @param count how many there are; a new one comes last */
type Props = { pipeline: PipelineView | null; count: number; onDone: () => void };

/** The form of a pipeline and its stages, in the order that deals go through. */
export function PipelineForm({ pipeline, count, onDone }: Props) {
  const { t } = useTranslation();
  // As it was when the form was opened: saving it later is refused where somebody else has changed it.
  const [read] = useState(pipeline);
  const saving = useSavePipeline(read);
  const [name, setName] = useState(read?.name ?? t('admin.pipelines.first.name'));
  const [stages, setStages] = useState(() =>
    read === null
      ? [
          newStage(t('admin.pipelines.first.new'), 'open', 10),
          newStage(t('admin.pipelines.first.offer'), 'open', 50),
          newStage(t('admin.pipelines.first.won'), 'won', 100),
          newStage(t('admin.pipelines.first.lost'), 'lost', 0),
        ]
      : stageValues(read),
  );
  const [faults, setFaults] = useState<Record<string, string>>({});
  const list = useRef<HTMLFieldSetElement>(null);
  /** The stage that was moved or added, and which of its parts has the focus then. */
  const followed = useRef<{ key: string; parts: string[] } | null>(null);

  useLayoutEffect(() => {
    const { key, parts } = followed.current ?? { key: '', parts: [] };
    followed.current = null;
    const elements = parts.map((part) =>
      list.current?.querySelector<HTMLElement>(`[data-stage="${key}"] ${part}:not(:disabled)`),
    );
    elements.find((element) => element != null)?.focus();
  }, [stages]);

  function move(index: number, by: -1 | 1): void {
    const moved = stages[index];
    if (moved === undefined) return;
    followed.current = {
      key: moved.key,
      parts: by === -1 ? ['[data-part="up"]', '[data-part="down"]'] : ['[data-part="down"]', '[data-part="up"]'],
    };
    setStages(stages.toSpliced(index, 1).toSpliced(index + by, 0, moved));
  }

  function add(): void {
    const stage = newStage();
    followed.current = { key: stage.key, parts: ['input'] };
    setStages([...stages, stage]);
  }

  function save(): void {
    const missing = Object.fromEntries(
      stages.flatMap((stage, index) =>
        stage.name.trim() === '' ? [[`stages.${String(index)}.name`, t('admin.pipelines.noName')]] : [],
      ),
    );
    const own = name.trim() === '' ? { ...missing, name: t('admin.pipelines.noName') } : missing;
    setFaults(own);
    if (Object.keys(own).length > 0) return;
    saving.run(
      { name: name.trim(), position: read?.position ?? count, stages: stagesBody(stages) },
      {
        onSuccess: () => {
          toast(t('admin.pipelines.saved'));
          onDone();
        },
        onError: (error) => setFaults(fieldErrors(t, error)),
      },
    );
  }

  return (
    <Section title={read === null ? t('admin.pipelines.add') : t('admin.pipelines.editOf', { name: read.name })}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Stack gap="sm" maw={720}>
          <TextInput
            label={t('admin.pipelines.name')}
            data-autofocus
            maxLength={200}
            maw={480}
            value={name}
            error={faults['name']}
            onChange={(event) => setName(event.currentTarget.value)}
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
                  error={faults[`stages.${String(index)}.name`]}
                  onChange={(changed) => setStages(stages.with(index, changed))}
                  onMove={(by) => move(index, by)}
                  onRemove={() => setStages(stages.toSpliced(index, 1))}
                />
              ))}
            </Stack>
          </fieldset>
          {faults['stages'] !== undefined && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {faults['stages']}
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
          <Problem error={saving.error} fields={['name', 'stages']} />
          <FormButtons save={t('admin.pipelines.save')} isSaving={saving.isPending} onCancel={onDone} />
        </Stack>
      </form>
    </Section>
  );
}
