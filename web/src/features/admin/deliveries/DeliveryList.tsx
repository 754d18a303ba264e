import { Button, Center, EmptyState } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { DeliveryView } from '../../../../../src/contract/deliveries.ts';
import { Problem } from '../components/Problem.tsx';
import { Waiting } from '../components/Waiting.tsx';
import { DeliveryTable } from './DeliveryTable.tsx';

const fields = ['event', 'state', 'call_id', 'since', 'until'];

type Props = {
  log: UseInfiniteQueryResult<InfiniteData<{ deliveries: DeliveryView[] }>>;
  isFiltered: boolean;
  onOpen: (id: string) => void;
};

/** The deliveries that were read so far, with the way to older ones. */
export function DeliveryList({ log, isFiltered, onOpen }: Props) {
  if (log.isPending) return <Waiting />;
  if (log.data === undefined) return <Problem error={log.error} fields={fields} />;
  const deliveries = log.data.pages.flatMap((page) => page.deliveries);
  if (deliveries.length === 0) {
    return (
      <EmptyState
        icon={<IconInbox />}
        title={isFiltered ? 'No delivery fits' : 'Nothing has been sent yet'}
        description={
          isFiltered
            ? 'Finished deliveries are kept for 30 days. Widen the filters, or show all.'
            : 'Each call sends webhooks once a webhook URL is set; a test on the page “Connection” sends one at once.'
        }
      />
    );
  }
  return (
    <>
      <Problem error={log.error} fields={fields} />
      <DeliveryTable deliveries={deliveries} onOpen={onOpen} />
      {log.hasNextPage && (
        <Center>
          <Button variant="default" size="xs" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            Older
          </Button>
        </Center>
      )}
    </>
  );
}
