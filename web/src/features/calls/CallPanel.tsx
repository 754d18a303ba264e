import { Group, Loader, Paper, Text, Title } from '@mantine/core';
import { IconArrowDownLeft, IconArrowUpRight, IconVolumeOff } from '@tabler/icons-react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallView } from '../../../../src/contract/calls.ts';
import { lazyPart } from '../../lib/i18n/lazyPart.tsx';
import { OtherEnd } from '../../shared/phoneNumbers/OtherEnd.tsx';
import { useGatewayNow, useWorkplace } from '../workplace/workplaceContext.ts';
import classes from './CallPanel.module.css';
import { CalledLine } from './CalledLine.tsx';
import { CallControls } from './CallControls.tsx';
import { CallStatus, CallTime } from './CallStatus.tsx';
import { nameOf, troubleText } from './callWords.ts';
import { DeskPhoneControls } from './lazyDeskPhone.ts';
import { OtherCall } from './lazyOther.ts';
import { TransferredFrom } from './lazyTransfer.ts';

/** When the first measurement is there. */
const Quality = lazyPart(
  async () => (await import('./Quality.tsx')).Quality,
  async () => ({ quality: (await import('../../locales/en/quality.json')).default }),
);

/** When a supervisor is in the call. */
const ListenersNote = lazyPart(
  async () => (await import('./ListenersNote.tsx')).ListenersNote,
  async () => ({ audio: (await import('../../locales/en/audio.json')).default }),
);

/** The call that lasts: with whom, how far it is, for how long, and what can be done about it. */
export function CallPanel({ call }: { call: CallView }) {
  const { t } = useTranslation();
  const { view } = useWorkplace();
  const now = useGatewayNow();
  const name = nameOf(call, view.pop);
  const Direction = call.direction === 'inbound' ? IconArrowDownLeft : IconArrowUpRight;
  return (
    <Paper component="section" withBorder p="sm" aria-label={t('softphone.call.label')} className={classes.panel}>
      {view.other !== null && (
        <Suspense fallback={null}>
          <OtherCall />
        </Suspense>
      )}
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2} className={classes.who}>
          <OtherEnd name={name} phone={call.phone} caller={call.caller} />
        </Title>
        <Text component="span" size="lg">
          <CallTime call={call} />
        </Text>
      </Group>
      <Group gap={4}>
        <Direction
          size={14}
          aria-label={t(call.direction === 'inbound' ? 'softphone.call.incoming' : 'softphone.call.outgoing')}
        />
        <Text size="sm" component="span" data-testid="call-state">
          <CallStatus call={call} />
        </Text>
        {name !== '' && (
          <Text size="sm">
            · <OtherEnd phone={call.phone} caller={call.caller} />
          </Text>
        )}
      </Group>
      <CalledLine call={call} />
      {view.voiceQuality !== null && view.voiceTrouble === null && !view.isHeld && (
        <Suspense fallback={null}>
          <Quality quality={view.voiceQuality} />
        </Suspense>
      )}
      {view.listeners.length > 0 && (
        <Suspense fallback={null}>
          <ListenersNote listeners={view.listeners} />
        </Suspense>
      )}
      {view.isHeldByOther && (
        <Text size="sm" data-testid="held-by-other">
          {t('softphone.call.heldByOther')}
        </Text>
      )}
      {view.voiceTrouble !== null && (
        <Group gap="xs" mt="xs" wrap="nowrap" data-testid="voice-trouble">
          {view.voiceTrouble.kind === 'reconnecting' ? (
            <Loader size={14} aria-hidden />
          ) : (
            <IconVolumeOff size={16} aria-hidden />
          )}
          <Text size="sm" fw={600}>
            {troubleText(t, view.voiceTrouble, now)}
          </Text>
        </Group>
      )}
      {view.isRecovering && (
        <Group gap="xs" mt="xs">
          <Loader size={14} aria-hidden />
          <Text size="sm">{t('softphone.call.reconnectingAudio')}</Text>
        </Group>
      )}
      {call.transferred_from !== null && (
        <Suspense fallback={null}>
          <TransferredFrom from={call.transferred_from} />
        </Suspense>
      )}
      {view.can.reportsByHand ? (
        <Suspense fallback={null}>
          <DeskPhoneControls call={call} />
        </Suspense>
      ) : (
        <CallControls key={view.callKey} call={call} />
      )}
    </Paper>
  );
}
