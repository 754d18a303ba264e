import type { ReactNode } from 'react';
import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiProblem, messageOf } from '../../../lib/gateway/apiProblem.ts';
import type { Translate } from '../../../lib/i18n/catalog.ts';
import { areAllShownAt } from '../../../shared/form/fieldErrors.ts';

type Props<T> = { query: UseQueryResult<T>; children: (data: T) => ReactNode };

/** What the gateway told; before that a skeleton, or what went wrong with a way to try again. */
export function Loaded<T>({ query, children }: Props<T>) {
  const { t } = useTranslation();
  if (query.data !== undefined) return children(query.data);
  if (query.isPending) return <Waiting />;
  return (
    <Alert color="red" variant="light" role="alert" maw={720}>
      <Group justify="space-between">
        <Text size="sm">{problemText(t, query.error)}</Text>
        <Button size="xs" variant="default" loading={query.isFetching} onClick={() => void query.refetch()}>
          {t('admin.common.again')}
        </Button>
      </Group>
    </Alert>
  );
}

/** Stands for what is being fetched. */
export function Waiting() {
  const { t } = useTranslation();
  return (
    <Stack component="output" aria-busy="true" aria-label={t('admin.common.loading')} maw={720}>
      <Skeleton h={22} w={180} />
      <Skeleton h={90} />
      <Skeleton h={90} />
    </Stack>
  );
}

type ProblemProps = {
  error: unknown;
  /** The fields that show their own faults. */
  fields?: readonly string[];
};

/** What went wrong, unless the fields say all of it. */
export function Problem({ error, fields = [] }: ProblemProps) {
  const { t } = useTranslation();
  if (error === null || areAllShownAt(error, fields)) return null;
  return (
    <Alert color="red" variant="light" role="alert">
      {problemText(t, error)}
    </Alert>
  );
}

/** What went wrong, for a person. */
export function problemText(t: Translate, error: unknown): string {
  return error instanceof ApiProblem ? messageOf(t, error) : t('admin.common.wrong');
}
