import { Button, Group, SegmentedControl, Select } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { signedIn } from '../../lib/gateway/signIn.ts';
import { useAddressFilter } from '../../shared/list/addressFilter.ts';
import { pipelinesQuery } from '../../shared/sharedQueries.ts';
import { AreaPage } from '../crm/AreaPage.tsx';
import { Loaded } from '../crm/Loaded.tsx';
import { Board } from './Board.tsx';
import { DealList } from './DealList.tsx';
import { NoPipelines } from './NoPipelines.tsx';

/** The deals of the company, as a board or as a list; the address says which, and whose. */
export function DealsPage() {
  const { t } = useTranslation();
  const { filter, set } = useAddressFilter(['view', 'owner', 'pipeline']);
  const pipelines = useQuery(pipelinesQuery);
  const isList = filter.view === 'list';
  const owner = filter.owner === 'me' ? signedIn()?.agent.id : undefined;
  const add = (
    <Button component={Link} to="/deals/new" size="xs" leftSection={<IconPlus size={14} aria-hidden />}>
      {t('deals.form.new')}
    </Button>
  );
  return (
    <AreaPage title={t('crmArea.areas.deals')} actions={(pipelines.data?.length ?? 0) > 0 ? add : undefined}>
      <Loaded query={pipelines}>
        {(all) => {
          const pipeline = all.find(({ id }) => id === filter.pipeline) ?? all[0];
          if (pipeline === undefined) return <NoPipelines />;
          return (
            <>
              <Group gap="xs">
                <SegmentedControl
                  size="xs"
                  aria-label={t('deals.view.label')}
                  data={[
                    { value: 'board', label: t('deals.view.board') },
                    { value: 'list', label: t('deals.view.list') },
                  ]}
                  value={isList ? 'list' : 'board'}
                  onChange={(view) => set({ view: view === 'list' ? view : '' })}
                />
                <SegmentedControl
                  size="xs"
                  aria-label={t('deals.view.whose')}
                  data={[
                    { value: 'all', label: t('deals.view.all') },
                    { value: 'me', label: t('deals.view.mine') },
                  ]}
                  value={owner === undefined ? 'all' : 'me'}
                  onChange={(whose) => set({ owner: whose === 'me' ? whose : '' })}
                />
                {all.length > 1 && (
                  <Select
                    size="xs"
                    aria-label={t('deals.view.pipeline')}
                    data={all.map(({ id, name }) => ({ value: id, label: name }))}
                    value={pipeline.id}
                    allowDeselect={false}
                    onChange={(id) => set({ pipeline: id ?? '' })}
                  />
                )}
              </Group>
              {isList ? (
                <DealList pipeline={pipeline} owner={owner} />
              ) : (
                <Board key={`${pipeline.id} ${owner ?? ''}`} pipelineId={pipeline.id} owner={owner} />
              )}
            </>
          );
        }}
      </Loaded>
    </AreaPage>
  );
}
