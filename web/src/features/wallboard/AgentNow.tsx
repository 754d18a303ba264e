import { Group, Text } from '@mantine/core';
import { CallText } from './CallText.tsx';
import { Clock } from './Clock.tsx';
import { pendingText } from './pendingText.ts';
import { StateLabel } from '../../shared/agentState.tsx';
import type { Reasons } from './useReasons.ts';
import type { WallboardRow } from './wallboardRow.ts';

/** What the agent is doing at this moment. */
export function AgentNow({ row: { agent, call }, reasons }: { row: WallboardRow; reasons: Reasons }) {
  const next = pendingText(agent, reasons);
  const isAway = agent.connection === 'lost' || agent.connection === 'reconnecting';
  return (
    <>
      <Group gap="sm">
        <StateLabel state={agent.state} />
        {agent.since !== null && (
          <Text span>
            <Clock at={agent.since} />
          </Text>
        )}
        {agent.reason !== null && <Text span>{reasons.text(agent.reason)}</Text>}
      </Group>
      {call !== null && (
        <Text>
          <CallText call={call} />
        </Text>
      )}
      {next !== null && <Text>Then: {next}</Text>}
      {isAway && <Text>{agent.connection === 'lost' ? 'The connection is lost.' : 'The connection is being restored.'}</Text>}
    </>
  );
}
