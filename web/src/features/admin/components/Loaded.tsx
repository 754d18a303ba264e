import type { ReactNode } from 'react';
import { Alert, Button, Group, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { problemText } from '../form/fieldErrors.ts';
import { Waiting } from './Waiting.tsx';

type Props<T> = { query: UseQueryResult<T>; children: (data: T) => ReactNode };

/** What the gateway told; before that a skeleton, or what went wrong with a way to try again. */
export function Loaded<T>({ query, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isPending) return <Waiting />;
  return (
    <Alert color="red" variant="light" role="alert" maw={720}>
      <Group justify="space-between">
        <Text size="sm">{problemText(query.error)}</Text>
        <Button size="xs" variant="default" loading={query.isFetching} onClick={() => void query.refetch()}>
          Try again
        </Button>
      </Group>
    </Alert>
  );
}
