import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { dispositionLabel } from '../../../shared/dispositionLabel.ts';
import { tagsText } from '../../../shared/tagTexts.ts';
import { Problem } from '../components/Loaded.tsx';
import { Moment } from '../components/Moment.tsx';
import { correctionsQuery } from './callQueries.ts';

/** Who changed how a call was wrapped up, and what it was before; nothing where nobody did. */
export function Corrections({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data: corrections, error } = useQuery(correctionsQuery(id));
  if (error !== null) return <Problem error={error} />;
  if (corrections === undefined || corrections.length === 0) return null;
  return (
    <>
      <Title order={3}>{t('calls.corrections.title')}</Title>
      <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {corrections.map(({ id: key, at, by, before, after }) => (
          <li key={key}>
            <Text size="sm">
              {t('calls.corrections.change', {
                before: before === null ? t('calls.one.notWrappedUp') : dispositionLabel(t, before),
                after: dispositionLabel(t, after),
              })}
            </Text>
            {before !== null && tagsText(before.tags) !== tagsText(after.tags) && (
              <Text size="sm" c="dimmed">
                {t('calls.corrections.tags', {
                  before: tagsText(before.tags) || '–',
                  after: tagsText(after.tags) || '–',
                })}
              </Text>
            )}
            {before?.notes != null && before.notes !== after.notes && (
              <Text size="sm" c="dimmed" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} dir="auto">
                {before.notes}
              </Text>
            )}
            <Text size="xs" c="dimmed">
              <Moment at={at} /> · <bdi>{by?.name ?? t('calls.corrections.program')}</bdi>
            </Text>
          </li>
        ))}
      </Stack>
    </>
  );
}
