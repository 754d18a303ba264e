import { Button, Group, SegmentedControl, Select } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { signedIn } from '../../lib/gateway/signIn.ts';
import { AreaPage } from '../crm/AreaPage.tsx';
import { Loaded } from '../crm/Loaded.tsx';
import { Board } from './Board.tsx';
import { DealList } from './DealList.tsx';
import { pipelinesQuery } from './dealQueries.ts';
import { NoPipelines } from './NoPipelines.tsx';

/** The deals of the company, as a board or as a list; the address says which, and whose. */
export function DealsPage() {
  const { t } = useTranslation();
  const [asked, setAsked] = useSearchParams();
  const pipelines = useQuery(pipelinesQuery);
  const isList = asked.get('view') === 'list';
  const ask = (name: string, value: string | null) =>
    setAsked(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === null || value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const owner = asked.get('owner') === 'me' ? signedIn()?.agent.id : undefined;
  const add = (
    <Button component={Link} to="/deals/new" size="xs" leftSection={<IconPlus size={14} aria-hidden />}>
      {t('deals.form.new')}
    </Button>
  );
  return (
    <AreaPage title={t('crmArea.areas.deals')} actions={(pipelines.data?.length ?? 0) > 0 ? add : undefined}>
      <Loaded query={pipelines}>
        {(all) => {
          const pipeline = all.find(({ id }) => id === asked.get('pipeline')) ?? all[0];
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
                  onChange={(view) => ask('view', view === 'list' ? view : null)}
                />
                <SegmentedControl
                  size="xs"
                  aria-label={t('deals.view.whose')}
                  data={[
                    { value: 'all', label: t('deals.view.all') },
                    { value: 'me', label: t('deals.view.mine') },
                  ]}
                  value={owner === undefined ? 'all' : 'me'}
                  onChange={(whose) => ask('owner', whose === 'me' ? whose : null)}
                />
                {all.length > 1 && (
                  <Select
                    size="xs"
                    aria-label={t('deals.view.pipeline')}
                    data={all.map(({ id, name }) => ({ value: id, label: name }))}
                    value={pipeline.id}
                    allowDeselect={false}
                    onChange={(id) => ask('pipeline', id)}
                  />
                )}
              </Group>
              {isList ? (
                <DealList pipeline={pipeline} owner={owner} asked={asked} onAsk={ask} />
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
