import { Button, Group, Text } from '@mantine/core';
import { IconPhoneIncoming } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { DemoRing } from '../../../../src/contract/demo.ts';
import { api } from '../../lib/gateway/api.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { useAction } from '../../lib/gateway/useAction.ts';

/** Lets a customer call the agent, by the demo's carrier. */
export function RingAgent({ agentCode }: { agentCode: string }) {
  const { t } = useTranslation();
  const ring = useAction(() => api.post<DemoRing>('/demo/ring', { agent_code: agentCode }));

  function told(): string | null {
    if (ring.isPending) return t('demo.ring.ringing', { agent: agentCode });
    if (ring.data !== undefined) return t(`demo.ring.${ring.data.result}`);
    return ring.error !== null ? messageOf(t, ring.error) : null;
  }

  return (
    <Group gap="sm" wrap="nowrap">
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPhoneIncoming size={16} aria-hidden />}
        loading={ring.isPending}
        onClick={() => ring.run()}
      >
        {t('demo.ring.button')}
      </Button>
      <Text size="sm" component="output">
        {told()}
      </Text>
    </Group>
  );
}
