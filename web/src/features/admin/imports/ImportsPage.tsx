import { Button, Stack, Text } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddressFilter } from '../../../shared/list/addressFilter.ts';
import { Problem } from '../components/Loaded.tsx';
import { Page, Section } from '../components/Page.tsx';
import { Exports } from './Exports.tsx';
import { FileDrop } from './FileDrop.tsx';
import { ImportList } from './ImportList.tsx';
import { ImportPanel } from './ImportPanel.tsx';
import { useImportPushed } from './importQueries.ts';
import { type Reading, useUpload } from './useUpload.ts';

/**
 * Contacts from files and from what a CRM pushed, and files of what the company has.
 * The address names the import that is open.
 */
export function ImportsPage() {
  const { t } = useTranslation();
  const { opened: open, set } = useAddressFilter([], 'import', true);
  const upload = useUpload();
  /** The file of the import that was uploaded last: for as long as the page is open it can be read in another way. */
  const [held, setHeld] = useState<{ id: string; file: File } | null>(null);
  const show = (id: string | null) => set({ import: id ?? '' });

  function take(file: File, reading: Reading = {}): void {
    upload.run(
      { file, ...reading },
      {
        onSuccess: ({ id }) => {
          setHeld({ id, file });
          show(id);
        },
      },
    );
  }

  return (
    <Page title={t('admin.pages.imports')}>
      {open === null ? (
        <>
          <FileDrop upload={upload} onFile={take} />
          <Pushed onMade={show} />
          <ImportList onOpen={show} />
          <Exports />
        </>
      ) : (
        <Stack gap="md" aria-busy={upload.isPending}>
          <Problem error={upload.error} />
          <ImportPanel
            key={open}
            id={open}
            onReread={held?.id === open ? (reading) => take(held.file, { ...reading, instead: open }) : undefined}
            onClose={() => {
              upload.reset();
              show(null);
            }}
          />
        </Stack>
      )}
    </Page>
  );
}

/** One click makes contacts of what a CRM pushed. */
function Pushed({ onMade }: { onMade: (id: string) => void }) {
  const { t } = useTranslation();
  const making = useImportPushed();
  return (
    <Section
      title={t('imports.pushed.title')}
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlugConnected size={14} />}
          loading={making.isPending}
          onClick={() => making.run(undefined, { onSuccess: ({ id }) => onMade(id) })}
        >
          {t('imports.pushed.action')}
        </Button>
      }
    >
      <Text size="sm">{t('imports.pushed.note')}</Text>
      <Problem error={making.error} />
    </Section>
  );
}
