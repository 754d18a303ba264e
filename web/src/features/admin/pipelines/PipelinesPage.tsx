import { Button, EmptyState, Text } from '@mantine/core';
import { IconColumns3, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PipelineView } from '../../../../../src/contract/pipelines.ts';
import { pipelinesQuery } from '../../../shared/sharedQueries.ts';
import { EditableRows } from '../components/EditableRows.tsx';
import { Loaded } from '../components/Loaded.tsx';
import { Page, Section } from '../components/Page.tsx';
import { PipelineForm } from './PipelineForm.tsx';
import { useRemovePipeline } from './pipelineQueries.ts';

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
      {edited !== undefined && (
        <PipelineForm
          key={edited?.id ?? ''}
          pipeline={edited}
          count={query.data?.length ?? 0}
          onDone={() => setEdited(undefined)}
        />
      )}
      <Loaded query={query}>
        {(pipelines) =>
          pipelines.length === 0 ? (
            edited === undefined && (
              <EmptyState
                icon={<IconColumns3 />}
                title={t('admin.pipelines.none.title')}
                description={t('admin.pipelines.none.text')}
              />
            )
          ) : (
            <PipelineList pipelines={pipelines} onEdit={setEdited} />
          )
        }
      </Loaded>
    </Page>
  );
}

function PipelineList({
  pipelines,
  onEdit,
}: {
  pipelines: readonly PipelineView[];
  onEdit: (pipeline: PipelineView) => void;
}) {
  const { t } = useTranslation();
  const removing = useRemovePipeline();
  const detail = ({ stages }: PipelineView) => stages.map((stage) => stage.name).join(' → ');
  return (
    <Section title={t('admin.pages.pipelines')}>
      <EditableRows items={pipelines} area="admin.pipelines" detail={detail} removing={removing} onEdit={onEdit} />
    </Section>
  );
}
