import { Button, Center, EmptyState, Table, UnstyledButton } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/i18n/format.ts';
import { Problem, Waiting } from '../components/Loaded.tsx';
import { Moment } from '../components/Moment.tsx';
import { Section } from '../components/Page.tsx';
import { StateBadge } from '../components/StateBadge.tsx';
import classes from '../components/rows.module.css';
import { importsQuery, wasNotRun } from './importQueries.ts';
import { stateColors } from './rowTexts.ts';

/** Former imports, the latest first; before the first one, what an import is. */
export function ImportList({ onOpen }: { onOpen: (id: string) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const list = useInfiniteQuery(importsQuery);
  if (list.isPending) return <Waiting />;
  if (list.data === undefined) return <Problem error={list.error} />;
  const imports = list.data.pages.flatMap((page) => page.imports);
  if (imports.length === 0) {
    return (
      <EmptyState icon={<IconFileSpreadsheet />} title={t('imports.none.title')} description={t('imports.none.text')} />
    );
  }
  return (
    <Section title={t('imports.list.title')} note={t('imports.list.note')}>
      <Problem error={list.error} />
      <Table.ScrollContainer minWidth={640} type="native">
        <Table highlightOnHover verticalSpacing={4} fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('imports.list.file')}</Table.Th>
              <Table.Th>{t('imports.list.at')}</Table.Th>
              <Table.Th>{t('imports.list.state')}</Table.Th>
              <Table.Th ta="end">{t('imports.list.rows')}</Table.Th>
              <Table.Th ta="end">{t('imports.outcome.created')}</Table.Th>
              <Table.Th ta="end">{t('imports.outcome.updated')}</Table.Th>
              <Table.Th ta="end">{t('imports.outcome.refused')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {imports.map((one) => (
              <Table.Tr key={one.id} className={classes.row ?? ''} onClick={() => onOpen(one.id)}>
                <Table.Td maw={320} style={{ overflowWrap: 'anywhere' }}>
                  <UnstyledButton fz="sm" className={classes.open ?? ''}>
                    {one.source === 'cache' ? t('imports.list.pushed') : one.file_name}
                  </UnstyledButton>
                </Table.Td>
                <Table.Td className={classes.nowrap ?? ''}>
                  <Moment at={one.created_at} />
                </Table.Td>
                <Table.Td>
                  <StateBadge color={stateColors[one.state]}>{t(`imports.state.${one.state}`)}</StateBadge>
                </Table.Td>
                <Table.Td ta="end">{format.number(one.rows)}</Table.Td>
                {(['created', 'updated', 'refused'] as const).map((outcome) => (
                  <Table.Td key={outcome} ta="end">
                    {wasNotRun(one) ? '–' : format.number(one.counts[outcome])}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {list.hasNextPage && (
        <Center>
          <Button
            variant="default"
            size="xs"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {t('imports.rows.more')}
          </Button>
        </Center>
      )}
    </Section>
  );
}
