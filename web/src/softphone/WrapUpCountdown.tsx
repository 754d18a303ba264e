import { RingProgress, Text } from '@mantine/core';
import { clockText } from '../shared/time.ts';
import { useGatewayNow } from './useGatewayNow.ts';
import { useDesk } from './workplaceContext.ts';

/** The last seconds are told by colour too. */
const urgentMs = 10_000;

/** How long the wrap-up lasts still. */
export function WrapUpCountdown() {
  const { agent } = useDesk().view;
  const now = useGatewayNow();
  if (agent?.wrap_up_ends_at == null || agent.since === null) return null;
  const end = Date.parse(agent.wrap_up_ends_at);
  const whole = Math.max(1, end - Date.parse(agent.since));
  const left = Math.min(whole, Math.max(0, end - now));
  return (
    <RingProgress
      size={58}
      thickness={4}
      roundCaps
      sections={[{ value: (left / whole) * 100, color: left < urgentMs ? 'red' : 'cyan' }]}
      label={
        <Text size="xs" ta="center" ff="monospace" role="timer" aria-label="Time left to wrap up">
          {clockText(Math.ceil(left / 1000) * 1000)}
        </Text>
      }
    />
  );
}
