import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportView } from '../../../../../src/contract/imports.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { Confirm } from '../components/Confirm.tsx';
import { Loaded, Problem } from '../components/Loaded.tsx';
import { Section } from '../components/Page.tsx';
import { StateBadge } from '../components/StateBadge.tsx';
import { useAsked } from '../components/useAsked.ts';
import { importQuery, isUnderWay, previewQuery, type Step, useImportStep, useRemoveImport } from './importQueries.ts';
import { ReadingForm } from './ReadingForm.tsx';
import { Report, WorkProgress } from './Report.tsx';
import { RowList } from './RowList.tsx';
import { stateColors } from './rowTexts.ts';
import type { Reading } from './useUpload.ts';

type Props = { id: string; onReread: ((reading: Reading) => void) | undefined; onClose: () => void };

/** One import: how its file is read, what its check and its run came to, and what can be done with it now. */
export function ImportPanel({ id, onReread, onClose }: Props) {
  const query = useQuery(importQuery(id));
  return <Loaded query={query}>{(one) => <LoadedImport one={one} onReread={onReread} onClose={onClose} />}</Loaded>;
}

function LoadedImport({ one, onReread, onClose }: Omit<Props, 'id'> & { one: ImportView }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [isSaving, setSaving] = useState(false);
  const isOpen = one.state === 'ready' || one.state === 'checked';
  /** Rows that somebody may have to look at. */
  const looked = (['left', 'refused', 'with_remarks', 'duplicate'] as const).filter((which) => one.counts[which] > 0);
  const hasReport = one.state !== 'ready' || one.done > 0;
  return (
    <Stack gap="md" data-import={one.id}>
      <Section
        title={one.source === 'cache' ? t('imports.list.pushed') : one.file_name}
        note={t('imports.file.facts', { rows: one.rows, time: format.exact(one.created_at) })}
        actions={<StateBadge color={stateColors[one.state]}>{t(`imports.state.${one.state}`)}</StateBadge>}
      >
        {isUnderWay(one) && <WorkProgress one={one} />}
        {hasReport && <Report one={one} />}
        {one.failed_work !== null && (
          <Alert color="red" variant="light" role="alert">
            {t(`imports.work.failed.${one.failed_work}`)}
          </Alert>
        )}
        <Actions one={one} isWaiting={isSaving} onClose={onClose} />
        {!isUnderWay(one) && looked.length > 0 && <RowList key={looked.join(' ')} one={one} outcomes={looked} />}
      </Section>
      {isOpen && <ReadingForm one={one} onReread={onReread} onSaving={setSaving} />}
    </Stack>
  );
}

/** In which states each can be done. */
const possible = {
  check: ['ready', 'checked'],
  run: ['ready', 'checked', 'canceled', 'failed'],
  cancel: ['checking', 'running'],
  undo: ['done', 'canceled', 'failed'],
} as const satisfies Record<Step, readonly ImportView['state'][]>;

/** @param isWaiting while changes are being saved, which the next step is to know */
type ActionsProps = { one: ImportView; isWaiting: boolean; onClose: () => void };

function Actions({ one, isWaiting, onClose }: ActionsProps) {
  const { t } = useTranslation();
  const doing = useImportStep();
  const removing = useRemoveImport();
  const asking = useAsked<'undo' | 'forget'>('undo');
  const can = (step: Step) => (possible[step] as readonly string[]).includes(one.state);
  const goesOn = one.state === 'canceled' || one.state === 'failed';
  const run = (step: Step) => doing.run({ id: one.id, step }, { onSuccess: asking.close });
  const isBusy = (step: Step) => doing.isPending && doing.input?.step === step;
  const nothingMapped = one.mapping.length === 0;
  const preview = useQuery({ ...previewQuery(one), enabled: can('check') && !nothingMapped });
  const comesToNothing =
    (preview.data ?? []).length > 0 && (preview.data ?? []).every(({ outcome }) => outcome === 'refused');
  return (
    <>
      <Group gap="xs">
        {can('check') && (
          <Button
            size="xs"
            variant="default"
            loading={isBusy('check')}
            disabled={isWaiting || nothingMapped}
            onClick={() => run('check')}
          >
            {t('imports.work.check')}
          </Button>
        )}
        {can('run') && (
          <Button
            size="xs"
            variant={comesToNothing ? 'default' : 'filled'}
            loading={isBusy('run')}
            disabled={isWaiting || nothingMapped}
            onClick={() => run('run')}
          >
            {t(goesOn ? 'imports.work.goOn' : 'imports.work.run')}
          </Button>
        )}
        {can('cancel') && (
          <Button size="xs" variant="default" loading={isBusy('cancel')} onClick={() => run('cancel')}>
            {t('imports.work.cancel')}
          </Button>
        )}
        {can('undo') && (
          <Button size="xs" variant="default" onClick={() => asking.ask('undo')}>
            {t('imports.undo.action')}
          </Button>
        )}
        {!isUnderWay(one) && (
          <Button size="xs" variant="subtle" color="gray" onClick={() => asking.ask('forget')}>
            {t('imports.forget.action')}
          </Button>
        )}
        <Button size="xs" variant="subtle" color="gray" onClick={onClose}>
          {t('imports.work.close')}
        </Button>
      </Group>
      {can('check') && (
        <Text size="xs" c={comesToNothing ? 'red' : 'dimmed'}>
          {t(comesToNothing ? 'imports.work.comesToNothing' : 'imports.work.checkHint')}
        </Text>
      )}
      {!asking.isOpen && <Problem error={doing.error} />}
      <Confirm
        isOpen={asking.isOpen}
        title={t(`imports.${asking.about}.title`)}
        action={t(`imports.${asking.about}.action`)}
        isBusy={asking.about === 'undo' ? isBusy('undo') : removing.isPending}
        error={asking.about === 'undo' ? doing.error : removing.error}
        onConfirm={() => (asking.about === 'undo' ? run('undo') : removing.run(one.id, { onSuccess: onClose }))}
        onClose={asking.close}
      >
        {t(`imports.${asking.about}.text`)}
      </Confirm>
    </>
  );
}
