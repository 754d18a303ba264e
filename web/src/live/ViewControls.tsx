import { Group, SegmentedControl, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { stateLooks } from './stateLook.tsx';
import { useTopic, useTopicPart } from './useWall.ts';
import type { Wall } from './wall.ts';
import type { WallSort } from './wallOrder.ts';
import classes from './LiveWall.module.css';

const sorts: { value: WallSort; label: string }[] = [
  { value: 'state', label: 'State' },
  { value: 'time', label: 'Longest first' },
  { value: 'name', label: 'Name' },
];

/** Which agents are listed, and in which order. */
export function ViewControls({ wall }: { wall: Wall }) {
  const view = useTopic(wall.view);
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="sm">
        <TextInput
          size="xs"
          w="18rem"
          type="search"
          aria-label="Find agents"
          placeholder="Name, code, customer or number"
          leftSection={<IconSearch size="1.25em" aria-hidden />}
          value={view.text}
          onChange={(event) => wall.show({ text: event.currentTarget.value })}
        />
        <Listed wall={wall} />
      </Group>
      <Group gap="xs">
        <Text size="sm" id="wall-sort">
          Sort
        </Text>
        <SegmentedControl
          size="xs"
          aria-labelledby="wall-sort"
          data={sorts}
          value={view.sort}
          onChange={(sort) => wall.show({ sort })}
        />
      </Group>
    </Group>
  );
}

/** How many of how many. */
function Listed({ wall }: { wall: Wall }) {
  const { state } = useTopic(wall.view);
  const listed = useTopicPart(wall.order, (order) => order.length);
  const agents = useTopicPart(wall.counts, (counts) => counts.agents);
  const away = useTopicPart(wall.counts, (counts) => counts.away);
  const counted = agents === 1 ? '1 agent' : `${agents} agents`;
  return (
    <Text size="sm" className={classes.shown ?? ''}>
      {listed === agents ? counted : `${listed} of ${counted}`}
      {away === 0 ? '' : ` · ${away} not connected`}
      {state === null ? '' : ` · ${stateLooks[state].label} only`}
    </Text>
  );
}
