import { Alert, Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core';
import { IconDownload, IconFileUpload } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { DoNotDialImport } from '../../../../../src/contract/doNotDial.ts';
import { causeText } from '../../../lib/gateway/causeText.ts';
import { downloadFile } from '../../../lib/gateway/files.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';
import { Problem } from '../components/Loaded.tsx';
import { Section } from '../components/Page.tsx';
import { useImportNumbers } from './doNotDialQueries.ts';

/** Numbers from a file, and all of them as one. */
export function ListFiles() {
  const { t } = useTranslation();
  const importing = useImportNumbers();
  const download = useAction(() => downloadFile('/api/do-not-dial.csv', 'do-not-dial.csv'));
  const forget = useRef<() => void>(null);

  /** The same file may be chosen again, when it was changed. */
  function choose(file: File | null): void {
    forget.current?.();
    if (file !== null) importing.run(file);
  }

  return (
    <Section title={t('doNotDial.file.title')} note={t('doNotDial.file.note')}>
      <Group gap="xs">
        <FileButton
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
          resetRef={forget}
          onChange={choose}
        >
          {(props) => (
            <Button {...props} size="xs" leftSection={<IconFileUpload size={14} />} loading={importing.isPending}>
              {t('doNotDial.file.choose')}
            </Button>
          )}
        </FileButton>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} />}
          loading={download.isPending}
          onClick={() => download.run()}
        >
          {t('doNotDial.file.download')}
        </Button>
        <Text size="xs" c="dimmed">
          {t('doNotDial.file.limits')}
        </Text>
      </Group>
      {importing.isPending && (
        <Stack gap={4} maw={420}>
          <Progress
            value={importing.share * 100}
            aria-label={t('doNotDial.file.uploading', { share: importing.share })}
            animated={importing.share >= 1}
          />
          <Text component="output" size="xs">
            {importing.share < 1
              ? t('doNotDial.file.uploading', { share: importing.share })
              : t('doNotDial.file.reading')}
          </Text>
        </Stack>
      )}
      {importing.data !== undefined && <Report done={importing.data} />}
      <Problem error={importing.error ?? download.error} />
    </Section>
  );
}

/** What came of a file: how many numbers, and which rows held none. */
function Report({ done: { added, known, refused, errors } }: { done: DoNotDialImport }) {
  const { t } = useTranslation();
  return (
    <Alert color={refused > 0 ? 'yellow' : 'green'} variant="light" role="note">
      <Text component="output" display="block" size="sm">
        {t('doNotDial.file.done', { added, known, refused })}
      </Text>
      {errors.length > 0 && (
        <ul style={{ margin: 0, paddingInlineStart: '1.2em', maxHeight: '12rem', overflowY: 'auto' }}>
          {errors.map(({ row, message, code, params }) => (
            <li key={row}>
              <Text size="sm">{t('doNotDial.file.row', { row, why: causeText(t, { code, params }, message) })}</Text>
            </li>
          ))}
        </ul>
      )}
      {refused > errors.length && (
        <Text size="sm">{t('doNotDial.file.moreRows', { count: refused - errors.length })}</Text>
      )}
    </Alert>
  );
}
