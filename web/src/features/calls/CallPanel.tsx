import { Group, Loader, Paper, Text, Title } from '@mantine/core';
import { IconArrowDownLeft, IconArrowUpRight, IconVolumeOff } from '@tabler/icons-react';
import type { CallView } from '../../../../src/contract/calls.ts';
import { clockText } from '../../shared/time.ts';
import { CallControls } from './CallControls.tsx';
import classes from './CallPanel.module.css';
import { callStateLabels, heldByOther, troubleText, whoIs } from './callWords.ts';
import { DeskPhoneControls } from './DeskPhoneControls.tsx';
import { useGatewayNow } from '../workplace/useGatewayNow.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { otherEndText } from '../../shared/otherEnd.ts';

/** The call that lasts: with whom, how far it is, for how long, and what can be done about it. */
export function CallPanel({ call }: { call: CallView }) {
  const { view } = useWorkplace();
  const now = useGatewayNow();
  const Direction = call.direction === 'inbound' ? IconArrowDownLeft : IconArrowUpRight;
  const who = whoIs(call);
  return (
    <Paper component="section" withBorder p="sm" aria-label="Call" className={classes.panel}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2} className={classes.who}>
          {who}
        </Title>
        <Text component="span" size="lg" ff="monospace" role="timer" aria-label="Time of the call">
          {clockText(now - Date.parse(call.answered_at ?? call.created_at))}
        </Text>
      </Group>
      <Group gap={4}>
        <Direction size={14} aria-label={call.direction === 'inbound' ? 'Incoming' : 'Outgoing'} />
        <Text size="sm" data-testid="call-state" fw={600}>
          {view.isHeld ? callStateLabels.held : callStateLabels[call.state]}
        </Text>
        {view.isMuted && (
          <Text size="sm" fw={600}>
            · Muted
          </Text>
        )}
        {who !== otherEndText(call) && <Text size="sm">· {otherEndText(call)}</Text>}
      </Group>
      {view.isHeldByOther && (
        <Text size="sm" data-testid="held-by-other">
          {heldByOther}
        </Text>
      )}
      {view.voiceTrouble !== null && (
        <Group gap="xs" mt="xs" wrap="nowrap" data-testid="voice-trouble">
          {view.voiceTrouble.kind === 'reconnecting' ? <Loader size={14} aria-hidden /> : <IconVolumeOff size={16} aria-hidden />}
          <Text size="sm" fw={600}>
            {troubleText(view.voiceTrouble, now)}
          </Text>
        </Group>
      )}
      {view.isRecovering && (
        <Group gap="xs" mt="xs">
          <Loader size={14} aria-hidden />
          <Text size="sm">Reconnecting audio…</Text>
        </Group>
      )}
      {view.can.reportsByHand ? <DeskPhoneControls call={call} /> : <CallControls call={call} />}
    </Paper>
  );
}
