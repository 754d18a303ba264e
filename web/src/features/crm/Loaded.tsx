import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '../../lib/gateway/apiProblem.ts';

type Props<T> = {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isPending' | 'isFetching' | 'refetch'>;
  children: (data: T) => ReactNode;
};

/** What the gateway told; before that a skeleton, or what went wrong with a way to try again. */
export function Loaded<T>({ query, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isPending) return <Waiting />;
  return <Failed error={query.error} isTrying={query.isFetching} onAgain={() => void query.refetch()} />;
}

/** Stands for what is being fetched. */
export function Waiting() {
  const { t } = useTranslation();
  return (
    <Stack component="output" aria-busy="true" aria-label={t('crmArea.shell.loading')} maw={720}>
      <Skeleton h={22} w={180} />
      <Skeleton h={90} />
    </Stack>
  );
}

type FailedProps = { error: unknown; isTrying: boolean; onAgain: () => void };

/** What went wrong, and a way to try again. */
export function Failed({ error, isTrying, onAgain }: FailedProps) {
  const { t } = useTranslation();
  return (
    <Alert color="red" variant="light" role="alert" maw={720}>
      <Group justify="space-between">
        <Text size="sm">{messageOf(t, error)}</Text>
        <Button size="xs" variant="default" loading={isTrying} onClick={onAgain}>
          {t('shared.boundary.again')}
        </Button>
      </Group>
    </Alert>
  );
}
