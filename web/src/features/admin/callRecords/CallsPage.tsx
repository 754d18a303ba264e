import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { downloadFile } from '../../../lib/gateway/files.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';
import { useAddressFilter } from '../../../shared/list/addressFilter.ts';
import { Problem } from '../components/Loaded.tsx';
import { Page, ReloadButton } from '../components/Page.tsx';
import { CallDrawer } from './CallDetails.tsx';
import { CallFilters } from './CallFilters.tsx';
import { CallTable } from './CallTable.tsx';
import { asked, callFilters, callsQuery } from './callQueries.ts';

/** The company's calls, what became of each, and how it was wrapped up. */
export function CallsPage() {
  const { t } = useTranslation();
  const { filter, opened, isFiltered, set } = useAddressFilter(callFilters, 'call');
  const list = useInfiniteQuery(callsQuery(filter));
  const download = useAction(() =>
    downloadFile(`/api/crm/exports/calls.csv?${new URLSearchParams(asked(filter)).toString()}`, 'calls.csv'),
  );
  return (
    <Page
      title={t('admin.pages.calls')}
      actions={
        <>
          <Button size="xs" variant="default" loading={download.isPending} onClick={() => download.run()}>
            {t('calls.csv')}
          </Button>
          <ReloadButton query={list} />
        </>
      }
    >
      <CallFilters filter={filter} isFiltered={isFiltered} error={list.error} onChange={set} />
      <Problem error={download.error} />
      <CallTable list={list} isFiltered={isFiltered} onOpen={(id) => set({ call: id })} />
      <CallDrawer id={opened} onClose={() => set({ call: '' })} onOpen={(id) => set({ call: id })} />
    </Page>
  );
}
