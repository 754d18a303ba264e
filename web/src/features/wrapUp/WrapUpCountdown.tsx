import '@mantine/core/styles/RingProgress.css';
import { Group, RingProgress, Text } from '@mantine/core';
import { useCallback, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { SessionSettings } from '../../../../src/contract/telephony.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import { clockText } from '../../shared/time.ts';
import { useGatewayNow, useWorkplace } from '../workplace/workplaceContext.ts';

/** The last seconds are told by colour too. */
const urgentMs = 10_000;

/** How long the wrap-up lasts still. */
export function WrapUpCountdown() {
  const { t } = useTranslation();
  const { agent, settings } = useWorkplace().view;
  const now = useGatewayNow();
  if (agent?.wrap_up_ends_at == null || agent.since === null) return null;
  const end = Date.parse(agent.wrap_up_ends_at);
  const whole = Math.max(1, end - Date.parse(agent.since));
  const left = Math.min(whole, Math.max(0, end - now));
  const note = settings === null ? null : extensionText(t, whole / 1000, settings);
  return (
    <Group gap={6} wrap="nowrap">
      {note !== null && (
        <Text size="xs" c="dimmed" ta="right">
          {note}
        </Text>
      )}
      <RingProgress
        size={58}
        thickness={4}
        roundCaps
        sections={[{ value: (left / whole) * 100, color: left < urgentMs ? 'red' : 'cyan' }]}
        label={
          <Text size="xs" ta="center" ff="monospace" role="timer" aria-label={t('softphone.wrapUp.timeLeft')}>
            {clockText(Math.ceil(left / 1000) * 1000)}
          </Text>
        }
      />
    </Group>
  );
}

/** Whether the wrap-up is longer than usual, and whether it can become longer still; both in seconds. */
function extensionText(
  t: Translate,
  whole: number,
  {
    wrap_up_seconds: usual,
    wrap_up_max_seconds: most,
  }: Pick<SessionSettings, 'wrap_up_seconds' | 'wrap_up_max_seconds'>,
): string | null {
  if (whole <= usual || most <= usual) return null;
  return t(whole < most ? 'softphone.wrapUp.moreTime' : 'softphone.wrapUp.noMoreTime');
}

/** While more is left, a key adds nothing worth asking for: each gives 30 s from then on. Milliseconds. */
const enoughMs = 25_000;
/** Not asked for again sooner, though an answer be lost. Milliseconds. */
const askAgainMs = 3_000;

/** Call it for each key: whoever is typing gets more time to wrap that call up, as long as the gateway gives it. */
export function useExtension(callId: string): () => void {
  const context = useWorkplace();
  const askedAt = useRef(-Infinity);
  return useCallback(() => {
    const { agent } = context.view;
    if (agent?.state !== 'wrap_up' || agent.call_id !== callId || agent.wrap_up_ends_at === null) return;
    const now = context.workplace.now();
    if (Date.parse(agent.wrap_up_ends_at) - now > enoughMs || Math.abs(now - askedAt.current) < askAgainMs) return;
    askedAt.current = now;
    context.workplace.extendWrapUp(callId).catch(() => {
      // The countdown goes on as it was; the next key asks again.
    });
  }, [context, callId]);
}
