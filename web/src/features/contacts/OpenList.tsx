import { Button, Group, Paper, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { More } from '../crm/More.tsx';
import classes from './OpenList.module.css';

type Props<T> = {
  title: string;
  /** The way to a new one. */
  add: { text: string; to: string };
  query: UseInfiniteQueryResult<T[]>;
  /** One of them, as an `li`. */
  children: (entry: T) => ReactNode;
};

/** What is not done with yet of a contact, and the way to more of it. */
export function OpenList<T>({ title, add, query, children }: Props<T>) {
  return (
    <Paper component="section" withBorder p="sm" aria-label={title}>
      <Group justify="space-between" gap="xs">
        <Title order={3}>{title}</Title>
        <Button
          component={Link}
          to={add.to}
          size="compact-xs"
          variant="light"
          leftSection={<IconPlus size={12} aria-hidden />}
        >
          {add.text}
        </Button>
      </Group>
      <ul className={classes.list}>{query.data?.map(children)}</ul>
      <More query={query} />
    </Paper>
  );
}
