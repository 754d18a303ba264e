import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type ImportView, type RowOutcome } from '../../../../../src/contract/imports.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { downloadFile } from '../../../lib/gateway/files.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';
import { Problem } from '../components/Loaded.tsx';
import { StateBadge } from '../components/StateBadge.tsx';
import { importsPath, isUnderWay, wasNotRun } from './importQueries.ts';
import { outcomeColors } from './rowTexts.ts';

const ofRun = ['created', 'updated', 'unchanged', 'duplicate', 'refused'] as const satisfies readonly RowOutcome[];
const ofUndoing = ['undone', 'left'] as const satisfies readonly RowOutcome[];

/** How far the work on an import is. */
export function WorkProgress({ one }: { one: ImportView }) {
  const { t } = useTranslation();
  const total = one.state === 'undoing' ? one.counts.created + one.counts.updated : one.rows;
  return (
    <Stack gap={4}>
      <Progress value={total === 0 ? 100 : (one.done / total) * 100} aria-label={t('imports.work.progress')} animated />
      <Text component="output" size="sm">
        {t('imports.work.done', { done: one.done, rows: total })}
      </Text>
    </Stack>
  );
}

/**
 * What became, or after a check would become, of the rows: counts that add up to the rows that are done,
 * and the refused ones as a file.
 */
export function Report({ one }: { one: ImportView }) {
  const { t } = useTranslation();
  const isCheck = wasNotRun(one);
  const isUndoing = one.state === 'undoing' || one.state === 'undone' || one.failed_work === 'undoing';
  const judged = ofRun.reduce((sum, outcome) => sum + one.counts[outcome], 0);
  return (
    <Stack gap="sm">
      <Counts
        label={t(isCheck ? 'imports.report.check' : 'imports.report.run')}
        one={one}
        outcomes={ofRun}
        isCheck={isCheck}
      />
      {!isUnderWay(one) && (
        <Text size="sm" c="dimmed">
          {t('imports.report.sum', { sum: judged, rows: one.rows })}
        </Text>
      )}
      {!isUnderWay(one) && one.counts.with_remarks > 0 && (
        <Text size="sm">{t('imports.report.remarks', { count: one.counts.with_remarks })}</Text>
      )}
      {isUndoing && <Counts label={t('imports.report.undoing')} one={one} outcomes={ofUndoing} isCheck={false} />}
      {!isUnderWay(one) && (
        <Group gap="xs">
          <Download one={one} which="refused" />
          <Download one={one} which="with_remarks" />
        </Group>
      )}
    </Stack>
  );
}

const files = { refused: 'refused.csv', with_remarks: 'remarks.csv' } as const;

/** Rows to mend as a file, where there are such. */
function Download({ one, which }: { one: ImportView; which: keyof typeof files }) {
  const { t } = useTranslation();
  const download = useAction(() => downloadFile(`${importsPath}/${one.id}/${files[which]}`, files[which]));
  if (one.counts[which] === 0) return null;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={14} />}
        loading={download.isPending}
        onClick={() => download.run()}
      >
        {t(`imports.report.download.${which}`, { count: one.counts[which] })}
      </Button>
      <Problem error={download.error} />
    </>
  );
}

type CountsProps = { label: string; one: ImportView; outcomes: readonly RowOutcome[]; isCheck: boolean };

function Counts({ label, one, outcomes, isCheck }: CountsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Group component="ul" gap="lg" m={0} p={0} aria-label={label} style={{ listStyle: 'none' }}>
      {outcomes.map((outcome) => (
        <li key={outcome}>
          <Text fw={600} fz="lg" lh={1.2}>
            {format.number(one.counts[outcome])}
          </Text>
          <StateBadge color={outcomeColors[outcome]}>
            {t(isCheck ? `imports.would.${outcome as (typeof ofRun)[number]}` : `imports.outcome.${outcome}`)}
          </StateBadge>
        </li>
      ))}
    </Group>
  );
}
