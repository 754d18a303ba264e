import { useState } from 'react';
import { Button, Group, Text } from '@mantine/core';
import { IconPhoneIncoming } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { DemoRing } from '../../../../src/contract/demo.ts';
import { api } from '../../lib/gateway/api.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';

/** Lets a customer call the agent, by the demo's carrier. */
export function RingAgent({ agentCode }: { agentCode: string }) {
  const { t } = useTranslation();
  const [isRinging, setRinging] = useState(false);
  const [told, setTold] = useState<string | null>(null);

  async function ring(): Promise<void> {
    setRinging(true);
    setTold(t('demo.ring.ringing', { agent: agentCode }));
    try {
      const { result } = await api.post<DemoRing>('/demo/ring', { agent_code: agentCode });
      setTold(t(`demo.ring.${result}`));
    } catch (error) {
      setTold(messageOf(error));
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
        {t('demo.ring.button')}
      </Button>
      <Text size="sm" component="output">
        {told}
      </Text>
    </Group>
  );
}
