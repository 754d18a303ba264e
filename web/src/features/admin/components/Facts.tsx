import { DataList, type DataListProps } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = Pick<DataListProps, 'labelWidth' | 'gap'> & { facts: readonly (readonly [string, ReactNode])[] };

/** What is known of something: names, and what goes with each. */
export function Facts({ facts, ...look }: Props) {
  return (
    <DataList {...look}>
      {facts.map(([name, fact]) => (
        <DataList.Item key={name}>
          <DataList.ItemLabel>{name}</DataList.ItemLabel>
          <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{fact}</DataList.ItemValue>
        </DataList.Item>
      ))}
    </DataList>
  );
}
