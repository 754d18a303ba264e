import { ActionIcon, Button, EmptyState, Group, Text } from '@mantine/core';
import { IconColumns3, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PipelineView } from '../../../../../src/contract/pipelines.ts';
import { Confirm } from '../components/Confirm.tsx';
import { Loaded } from '../components/Loaded.tsx';
import { Page, Section } from '../components/Page.tsx';
import { PipelineForm } from './PipelineForm.tsx';
import { pipelinesQuery, useRemovePipeline } from './pipelineQueries.ts';

/** The pipelines of the company, and the stages that their deals go through. */
export function PipelinesPage() {
  const { t } = useTranslation();
  const query = useQuery(pipelinesQuery);
  /** The pipeline whose form is open; null: the form for a new one; undefined: none. */
  const [edited, setEdited] = useState<PipelineView | null>();
  const add = (
    <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => setEdited(null)}>
      {t('admin.pipelines.add')}
    </Button>
  );
  return (
    <Page title={t('admin.pages.pipelines')} actions={add} isNarrow>
      <Text size="sm">{t('admin.pipelines.note')}</Text>
      {edited !== undefined && <PipelineForm key={edited?.id ?? ''} pipeline={edited} count={query.data?.length ?? 0} onDone={() => setEdited(undefined)} />}
      <Loaded query={query}>
        {(pipelines) =>
          pipelines.length === 0 ? (
            edited === undefined && <EmptyState icon={<IconColumns3 />} title={t('admin.pipelines.none.title')} description={t('admin.pipelines.none.text')} />
          ) : (
            <PipelineList pipelines={pipelines} onEdit={setEdited} />
          )
        }
      </Loaded>
    </Page>
  );
}

function PipelineList({ pipelines, onEdit }: { pipelines: readonly PipelineView[]; onEdit: (pipeline: PipelineView) => void }) {
  const { t } = useTranslation();
  const removing = useRemovePipeline();
  const [asked, setAsked] = useState<PipelineView | null>(null);

  function ask(pipeline: PipelineView): void {
    removing.reset();
    setAsked(pipeline);
  }

  return (
    <Section title={t('admin.pages.pipelines')}>
      {pipelines.map((pipeline) => (
        <Group key={pipeline.id} justify="space-between" gap="xs" py={6} wrap="nowrap" data-pipeline={pipeline.id}>
          <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            <Text size="sm" fw={600}>
              {pipeline.name}
            </Text>
            <Text size="xs" c="dimmed">
              {pipeline.stages.map((stage) => stage.name).join(' → ')}
            </Text>
          </div>
          <Group gap={2} wrap="nowrap">
            <ActionIcon variant="subtle" color="gray" aria-label={t('admin.pipelines.editOf', { name: pipeline.name })} onClick={() => onEdit(pipeline)}>
              <IconPencil size={16} />
            </ActionIcon>
            <ActionIcon variant="subtle" color="gray" aria-label={t('admin.pipelines.removeOf', { name: pipeline.name })} onClick={() => ask(pipeline)}>
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        </Group>
      ))}
      <Confirm
        isOpen={asked !== null}
        title={t('admin.pipelines.remove.title', { name: asked?.name ?? '' })}
        action={t('admin.pipelines.remove.action')}
        isBusy={removing.isPending}
        error={removing.error}
        onConfirm={() => asked !== null && removing.run(asked.id, { onSuccess: () => setAsked(null) })}
        onClose={() => setAsked(null)}
      >
        {t('admin.pipelines.remove.text')}
      </Confirm>
    </Section>
  );
}
