import { Button, Group } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { downloadFile } from '../../../lib/gateway/files.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';
import { Problem } from '../components/Loaded.tsx';
import { Section } from '../components/Page.tsx';

const files = ['contacts', 'calls', 'deals'] as const;

/** What the company has, as files for spreadsheets. */
export function Exports() {
  const { t } = useTranslation();
  const download = useAction((what: (typeof files)[number]) =>
    downloadFile(`/api/crm/exports/${what}.csv`, `${what}.csv`),
  );
  return (
    <Section title={t('imports.export.title')} note={t('imports.export.note')}>
      <Group gap="xs">
        {files.map((what) => (
          <Button
            key={what}
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} />}
            loading={download.isPending && download.input === what}
            disabled={download.isPending}
            onClick={() => download.run(what)}
          >
            {t(`imports.export.${what}`)}
          </Button>
        ))}
      </Group>
      <Problem error={download.error} />
    </Section>
  );
}
