import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Page, ReloadButton } from '../components/Page.tsx';
import { DeliveryDrawer } from './DeliveryDetails.tsx';
import { DeliveryList } from './DeliveryList.tsx';
import { Filters, useFilter } from './DeliveryFilters.tsx';
import { RecoverDialog } from './RecoverDialog.tsx';
import { deliveriesQuery } from './deliveryQueries.ts';

/** What was sent to the company's webhook, and what became of it. */
export function DeliveriesPage() {
  const { t } = useTranslation();
  const { filter, opened, isFiltered, set } = useFilter();
  const log = useInfiniteQuery(deliveriesQuery(filter));
  const [isRecovering, { open, close }] = useDisclosure(false);
  return (
    <Page
      title={t('admin.pages.deliveries')}
      actions={
        <>
          <Button size="xs" variant="default" onClick={open}>
            {t('admin.deliveries.recover')}
          </Button>
          <ReloadButton query={log} />
        </>
      }
    >
      <Filters filter={filter} isFiltered={isFiltered} error={log.error} onChange={set} />
      <DeliveryList
        log={log}
        isFiltered={isFiltered}
        onOpen={(id) => set({ delivery: id })}
      />
      <DeliveryDrawer id={opened} onClose={() => set({ delivery: '' })} />
      <RecoverDialog isOpen={isRecovering} onClose={close} />
    </Page>
  );
}
