import { Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRecordForm } from '../../../shared/form/useRecordForm.ts';
import { useAddressFilter } from '../../../shared/list/addressFilter.ts';
import { Page, ReloadButton } from '../components/Page.tsx';
import { RecordPanel } from '../components/RecordPanel.tsx';
import { toast } from '../components/toast.ts';
import { integrationQuery } from '../connect/integrationQueries.ts';
import { DeliveryDrawer } from './DeliveryDetails.tsx';
import { fromLocalInput, toLocalInput } from '../../../shared/localInput.ts';
import { Filters } from './DeliveryFilters.tsx';
import { DeliveryList } from './DeliveryList.tsx';
import { deliveriesQuery, deliveryFilters, useRecover } from './deliveryQueries.ts';

/** What was sent to the company's webhook, and what became of it. */
export function DeliveriesPage() {
  const { t } = useTranslation();
  const { filter, opened, isFiltered, set } = useAddressFilter(deliveryFilters, 'delivery');
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
      <DeliveryList log={log} isFiltered={isFiltered} onOpen={(id) => set({ delivery: id })} />
      <DeliveryDrawer id={opened} onClose={() => set({ delivery: '' })} />
      <RecoverDialog isOpen={isRecovering} onClose={close} />
    </Page>
  );
}

type RecoverDialogProps = { isOpen: boolean; onClose: () => void };

/** Sends all again that was given up since a time. */
export function RecoverDialog({ isOpen, onClose }: RecoverDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('admin.deliveries.recovery.title')} centered>
      <RecoverForm onClose={onClose} />
    </Modal>
  );
}

function RecoverForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const webhook = queries.getQueryData(integrationQuery.queryKey)?.status.webhook;
  const [first] = useState(() => suggested(webhook?.failing_since ?? webhook?.disabled_at ?? null));
  const record = useRecordForm(
    { since: first },
    {
      action: useRecover(),
      body: (_changes, { since }) => fromLocalInput(since),
      isGuarded: false,
      onSaved: ({ redelivering }) => {
        toast(t('admin.deliveries.recovery.result', { number: redelivering }));
        onClose();
      },
    },
  );

  return (
    <RecordPanel
      record={record}
      fields={['since']}
      gap="md"
      isChecked
      end={
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('admin.common.cancel')}
          </Button>
          <Button type="submit" loading={record.isSaving}>
            {t('admin.deliveries.one.again')}
          </Button>
        </Group>
      }
    >
      <Text size="sm">{t('admin.deliveries.recovery.text')}</Text>
      <TextInput
        label={t('admin.deliveries.recovery.since')}
        type="datetime-local"
        step={1}
        {...record.form.getInputProps('since')}
        required
        data-autofocus
      />
    </RecordPanel>
  );
}

/** An hour before the trouble, or a day ago, as the field takes it. */
function suggested(trouble: string | null): string {
  const from = trouble === null ? Date.now() - 24 * 3_600_000 : Date.parse(trouble) - 3_600_000;
  return toLocalInput(new Date(from).toISOString());
}
