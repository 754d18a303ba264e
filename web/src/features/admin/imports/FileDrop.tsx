import { Button, FileButton, Paper, Progress, Stack, Text } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { type DragEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Problem } from '../components/Loaded.tsx';
import type { useUpload } from './useUpload.ts';

type Props = { upload: ReturnType<typeof useUpload>; onFile: (file: File) => void };

/** Where a file is dropped or chosen, and how far its upload is. */
export function FileDrop({ upload, onFile }: Props) {
  const { t } = useTranslation();
  const [isOver, setOver] = useState(false);
  const forget = useRef<() => void>(null);

  function drop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined && !upload.isPending) onFile(file);
  }

  /** The same file may be chosen again, when it was changed. */
  function choose(file: File | null): void {
    forget.current?.();
    if (file !== null) onFile(file);
  }

  function dragOver(event: DragEvent): void {
    event.preventDefault();
    setOver(true);
  }

  return (
    <Paper
      withBorder
      p="lg"
      style={{ borderStyle: 'dashed', ...(isOver ? { background: 'var(--mantine-primary-color-light)' } : {}) }}
      onDragOver={dragOver}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Stack align="center" gap="xs">
        <IconFileUpload size={32} stroke={1.5} aria-hidden />
        <Text size="sm" ta="center">
          {t('imports.file.drop')}
        </Text>
        <FileButton
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
          resetRef={forget}
          onChange={choose}
        >
          {(props) => (
            <Button {...props} loading={upload.isPending}>
              {t('imports.file.choose')}
            </Button>
          )}
        </FileButton>
        <Text size="xs" c="dimmed" ta="center">
          {t('imports.file.limits')}
        </Text>
        {upload.isPending && (
          <Stack gap={4} w="100%" maw={420}>
            <Progress value={upload.share * 100} aria-label={t('imports.file.progress')} animated={upload.share >= 1} />
            <Text component="output" size="xs" ta="center">
              {upload.share < 1 ? t('imports.file.uploading', { share: upload.share }) : t('imports.file.reading')}
            </Text>
          </Stack>
        )}
        <Problem error={upload.error} />
      </Stack>
    </Paper>
  );
}
