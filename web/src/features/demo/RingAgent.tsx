import { useState } from 'react';
import { Button, Group, Text } from '@mantine/core';
import { IconPhoneIncoming } from '@tabler/icons-react';
import type { DemoRing, DemoRingResult } from '../../../../src/contract/demo.ts';
import { api } from '../../lib/gateway/api.ts';

const results: Record<DemoRingResult, string> = {
  answered: 'The agent has answered.',
  busy: 'The agent is busy.',
  declined: 'The agent has declined.',
  no_answer: 'The agent has not answered.',
  canceled: 'The caller has given up.',
  failed: 'The call has failed.',
  not_registered: 'The softphone is not at the carrier: log in on it first.',
};

/** Lets a customer call the agent, by the demo's carrier. */
export function RingAgent({ agentCode }: { agentCode: string }) {
  const [isRinging, setRinging] = useState(false);
  const [told, setTold] = useState<string | null>(null);

  async function ring(): Promise<void> {
    setRinging(true);
    setTold(`Ringing ${agentCode}…`);
    try {
      const { result } = await api.post<DemoRing>('/demo/ring', { agent_code: agentCode });
      setTold(results[result]);
    } catch (error) {
      setTold(error instanceof Error ? error.message : 'The call has failed.');
    }
    setRinging(false);
  }

  return (
    <Group gap="sm" wrap="nowrap">
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPhoneIncoming size={16} aria-hidden />}
        loading={isRinging}
        onClick={() => void ring()}
      >
        Ring the agent
      </Button>
      <Text size="sm" component="output">
        {told}
      </Text>
    </Group>
  );
}
