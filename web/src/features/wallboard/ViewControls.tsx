import { Group, SegmentedControl, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { agentStates } from '../../shared/agentState.tsx';
import { useTopic, useTopicPart } from './useWallboard.ts';
import type { Wallboard } from './wallboard.ts';
import type { WallboardSort } from './wallboardOrder.ts';
import classes from './WallboardPage.module.css';

const sorts: { value: WallboardSort; label: string }[] = [
  { value: 'state', label: 'State' },
  { value: 'time', label: 'Longest first' },
  { value: 'name', label: 'Name' },
];

/** Which agents are listed, and in which order. */
export function ViewControls({ wallboard }: { wallboard: Wallboard }) {
  const view = useTopic(wallboard.view);
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
          onChange={(event) => wallboard.show({ text: event.currentTarget.value })}
        />
        <Listed wallboard={wallboard} />
      </Group>
      <Group gap="xs">
        <Text size="sm" id="wallboard-sort">
          Sort
        </Text>
        <SegmentedControl
          size="xs"
          aria-labelledby="wallboard-sort"
          data={sorts}
          value={view.sort}
          onChange={(sort) => wallboard.show({ sort })}
        />
      </Group>
    </Group>
  );
}

/** How many of how many. */
function Listed({ wallboard }: { wallboard: Wallboard }) {
  const { state } = useTopic(wallboard.view);
  const listed = useTopicPart(wallboard.order, (order) => order.length);
  const agents = useTopicPart(wallboard.counts, (counts) => counts.agents);
  const away = useTopicPart(wallboard.counts, (counts) => counts.away);
  const counted = agents === 1 ? '1 agent' : `${agents} agents`;
  return (
    <Text size="sm" className={classes.shown ?? ''}>
      {listed === agents ? counted : `${listed} of ${counted}`}
      {away === 0 ? '' : ` · ${away} not connected`}
      {state === null ? '' : ` · ${agentStates[state].label} only`}
    </Text>
  );
}
