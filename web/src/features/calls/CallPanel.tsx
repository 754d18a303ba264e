import { Button, Group, Loader, Paper, Text, Title } from '@mantine/core';
import { IconArrowDownLeft, IconArrowUpRight, IconDialpad, IconMicrophone, IconMicrophoneOff, IconPhoneOff, IconPlayerPause, IconPlayerPlay, IconVolumeOff } from '@tabler/icons-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallView } from '../../../../src/contract/calls.ts';
import { addTexts } from '../../lib/i18n/texts.ts';
import { Boundary } from '../../shared/Boundary.tsx';
import { OtherEnd } from '../../shared/phoneNumbers/OtherEnd.tsx';
import { clockText } from '../../shared/time.ts';
import { useGatewayNow, useWorkplace } from '../workplace/workplaceContext.ts';
import classes from './CallPanel.module.css';
import { DeskPhoneControls } from './DeskPhoneControls.tsx';
import { Keys } from './Keys.tsx';
import { troubleText } from './callWords.ts';

/** Loaded with its texts when a call is to be handed on, which is rare. */
const TransferPanel = lazy(async () => {
  const [panel, { default: transfer }] = await Promise.all([import('./TransferPanel.tsx'), import('../../locales/en/transfer.json')]);
  await addTexts({ transfer });
  return { default: panel.TransferPanel };
});

/** The call that lasts: with whom, how far it is, for how long, and what can be done about it. */
export function CallPanel({ call }: { call: CallView }) {
  const { t } = useTranslation();
  const { view } = useWorkplace();
  const now = useGatewayNow();
  const Direction = call.direction === 'inbound' ? IconArrowDownLeft : IconArrowUpRight;
  return (
    <Paper component="section" withBorder p="sm" aria-label={t('softphone.call.label')} className={classes.panel}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2} className={classes.who}>
          <OtherEnd name={call.customer_name} phone={call.phone} caller={call.caller} />
        </Title>
        <Text component="span" size="lg" ff="monospace" role="timer" aria-label={t('softphone.call.time')}>
          {clockText(now - Date.parse(call.answered_at ?? call.created_at))}
        </Text>
      </Group>
      <Group gap={4}>
        <Direction size={14} aria-label={t(call.direction === 'inbound' ? 'softphone.call.incoming' : 'softphone.call.outgoing')} />
        <Text size="sm" data-testid="call-state" fw={600}>
          {t(`softphone.callState.${view.isHeld ? 'held' : call.state}`)}
        </Text>
        {view.isMuted && (
          <Text size="sm" fw={600}>
            · {t('softphone.call.muted')}
          </Text>
        )}
        {(call.customer_name ?? '').trim() !== '' && (
          <Text size="sm">
            · <OtherEnd phone={call.phone} caller={call.caller} />
          </Text>
        )}
      </Group>
      {view.isHeldByOther && (
        <Text size="sm" data-testid="held-by-other">
          {t('softphone.callState.heldByOther')}
        </Text>
      )}
      {view.voiceTrouble !== null && (
        <Group gap="xs" mt="xs" wrap="nowrap" data-testid="voice-trouble">
          {view.voiceTrouble.kind === 'reconnecting' ? <Loader size={14} aria-hidden /> : <IconVolumeOff size={16} aria-hidden />}
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
      {view.can.reportsByHand ? <DeskPhoneControls call={call} /> : <CallControls call={call} />}
    </Paper>
  );
}

/** Mute, hold, keypad, transfer and hang up, as far as the telephone is able to. */
function CallControls({ call }: { call: CallView }) {
  const { t } = useTranslation();
  const { view, workplace } = useWorkplace();
  const [showsKeys, setShowsKeys] = useState(false);
  const [showsTransfer, setShowsTransfer] = useState(false);
  const transferButton = useRef<HTMLButtonElement>(null);
  const { can, isMuted, isHeld, isTransferring } = view;
  const isTalking = call.state === 'connected' || call.state === 'held';

  function closeTransfer(): void {
    setShowsTransfer(false);
    transferButton.current?.focus();
  }

  return (
    <>
      <fieldset className={classes.controls} aria-label={t('softphone.call.controls')}>
        {can.mute && (
          <Button
            size="xs"
            variant={isMuted ? 'filled' : 'default'}
            aria-pressed={isMuted}
            aria-keyshortcuts="Alt+M"
            disabled={!isTalking}
            leftSection={isMuted ? <IconMicrophoneOff size={14} aria-hidden /> : <IconMicrophone size={14} aria-hidden />}
            onClick={() => workplace.setMuted(!isMuted)}
          >
            {t('softphone.call.mute')}
          </Button>
        )}
        {can.hold && (
          <Button
            size="xs"
            variant={isHeld ? 'filled' : 'default'}
            aria-pressed={isHeld}
            aria-keyshortcuts="Alt+L"
            disabled={!isTalking}
            leftSection={isHeld ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />}
            onClick={() => workplace.setHeld(!isHeld)}
          >
            {t('softphone.call.hold')}
          </Button>
        )}
        {can.dtmf && (
          <Button
            size="xs"
            variant={showsKeys ? 'filled' : 'default'}
            aria-expanded={showsKeys}
            disabled={!isTalking}
            leftSection={<IconDialpad size={14} aria-hidden />}
            onClick={() => setShowsKeys(!showsKeys)}
          >
            {t('softphone.call.keypad')}
          </Button>
        )}
        {can.transfer && (
          <Button
            ref={transferButton}
            size="xs"
            variant={showsTransfer ? 'filled' : 'default'}
            aria-expanded={showsTransfer}
            disabled={!isTalking}
            leftSection={<IconArrowUpRight size={14} aria-hidden />}
            onClick={() => setShowsTransfer(!showsTransfer)}
          >
            {t('softphone.call.transfer')}
          </Button>
        )}
        <Button
          className={classes.hangUp}
          size="xs"
          color="red"
          aria-keyshortcuts="Alt+H"
          leftSection={<IconPhoneOff size={16} aria-hidden />}
          onClick={() => workplace.hangUp()}
        >
          {t('softphone.call.hangUp')}
        </Button>
      </fieldset>
      {isTransferring && (
        <Text component="output" size="sm" fw={600} display="block" mt="xs">
          {t('transfer.asking')}
        </Text>
      )}
      {showsTransfer && isTalking && (
        <Boundary name={t('softphone.call.transfer')}>
          <Suspense fallback={null}>
            <TransferPanel onClose={closeTransfer} />
          </Suspense>
        </Boundary>
      )}
      {showsKeys && isTalking && <Keys label={t('softphone.call.keypadTones')} onKey={(tone) => workplace.sendDtmf(tone)} takesTyping />}
    </>
  );
}
