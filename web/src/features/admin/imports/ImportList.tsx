import { EmptyState } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ImportView } from '../../../../../src/contract/imports.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { type Column, DataTable } from '../../../shared/list/DataTable.tsx';
import { MoreButton } from '../../../shared/list/MoreButton.tsx';
import { Problem, Waiting } from '../components/Loaded.tsx';
import { Moment } from '../components/Moment.tsx';
import { Section } from '../components/Page.tsx';
import { StateBadge } from '../components/StateBadge.tsx';
import { importsQuery, wasNotRun } from './importQueries.ts';
import { stateColors } from './rowTexts.ts';

/** Former imports, the latest first; before the first one, what an import is. */
export function ImportList({ onOpen }: { onOpen: (id: string) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const list = useInfiniteQuery(importsQuery);
  if (list.isPending) return <Waiting />;
  if (list.data === undefined) return <Problem error={list.error} />;
  if (list.data.length === 0) {
    return (
      <EmptyState icon={<IconFileSpreadsheet />} title={t('imports.none.title')} description={t('imports.none.text')} />
    );
  }
  const columns: Column<ImportView>[] = [
    {
      key: 'file',
      title: t('imports.list.file'),
      cell: ({ source, file_name: name }) => (source === 'cache' ? t('imports.list.pushed') : name),
      td: { maw: 320, style: { overflowWrap: 'anywhere' } },
    },
    { key: 'at', title: t('imports.list.at'), cell: ({ created_at: at }) => <Moment at={at} />, isOneLine: true },
    {
      key: 'state',
      title: t('imports.list.state'),
      cell: ({ state }) => <StateBadge color={stateColors[state]}>{t(`imports.state.${state}`)}</StateBadge>,
    },
    { key: 'rows', title: t('imports.list.rows'), cell: ({ rows }) => format.number(rows), isAtEnd: true },
    ...(['created', 'updated', 'refused'] as const).map((outcome) => ({
      key: outcome,
      title: t(`imports.outcome.${outcome}`),
      cell: (one: ImportView) => (wasNotRun(one) ? '–' : format.number(one.counts[outcome])),
      isAtEnd: true,
    })),
  ];
  return (
    <Section title={t('imports.list.title')} note={t('imports.list.note')}>
      <Problem error={list.error} />
      <DataTable
        minWidth={640}
        columns={columns}
        rows={list.data}
        rowKey={({ id }) => id}
        onOpen={({ id }) => onOpen(id)}
        opensDialog={false}
      />
      <MoreButton query={list} text={t('imports.rows.more')} />
    </Section>
  );
}
