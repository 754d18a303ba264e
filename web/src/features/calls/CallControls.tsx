import { Button, type ButtonProps, Text } from '@mantine/core';
import {
  type Icon,
  IconArrowUpRight,
  IconDialpad,
  IconMicrophone,
  IconMicrophoneOff,
  IconPhoneOff,
  IconPlayerPause,
  IconPlayerPlay,
} from '@tabler/icons-react';
import { type ComponentProps, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallView } from '../../../../src/contract/calls.ts';
import { Boundary } from '../../shared/Boundary.tsx';
import { isTalking } from '../../shared/callState.tsx';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import classes from './CallPanel.module.css';
import { Keys } from './lazyKeys.ts';
import { TransferPanel } from './lazyTransfer.ts';

type Props = { call: CallView; /** Icons alone, where there is little room. */ isCompact?: boolean };

/** Mute, hold, keypad, transfer and hang up, as far as the telephone is able to. */
export function CallControls({ call, isCompact = false }: Props) {
  const { t } = useTranslation();
  const { view, workplace } = useWorkplace();
  const [showsKeys, setShowsKeys] = useState(false);
  const [showsTransfer, setShowsTransfer] = useState(false);
  const transferButton = useRef<HTMLButtonElement>(null);
  const { callKey, can, consult, isMuted, isHeld, isTransferring } = view;
  const talks = isTalking(call);
  const isByTones = can.transfer === 'tones';

  const isConsulting = consult !== null;
  // The choice is made.
  if (isConsulting && showsTransfer) setShowsTransfer(false);
  const wasConsulting = useRef(false);
  useEffect(() => {
    if (wasConsulting.current && !isConsulting) transferButton.current?.focus();
    wasConsulting.current = isConsulting;
  }, [isConsulting]);

  function closeTransfer(): void {
    setShowsTransfer(false);
    transferButton.current?.focus();
  }

  return (
    <>
      <fieldset className={isCompact ? classes.compact : classes.controls} aria-label={t('softphone.call.controls')}>
        {can.mute && (
          <Control
            text={t('softphone.call.mute')}
            icon={isMuted ? IconMicrophoneOff : IconMicrophone}
            isCompact={isCompact}
            isOn={isMuted}
            aria-pressed={isMuted}
            aria-keyshortcuts="Alt+M"
            disabled={!talks}
            onClick={() => workplace.setMuted(!isMuted)}
          />
        )}
        {can.hold && !isConsulting && (
          <Control
            text={t(isHeld ? 'softphone.call.resume' : 'softphone.call.hold')}
            icon={isHeld ? IconPlayerPlay : IconPlayerPause}
            isCompact={isCompact}
            isOn={isHeld}
            aria-keyshortcuts="Alt+L"
            disabled={!talks}
            onClick={() => workplace.setHeld(!isHeld)}
          />
        )}
        {can.dtmf && (
          <Control
            text={t('softphone.call.keypad')}
            icon={IconDialpad}
            isCompact={isCompact}
            isOn={showsKeys}
            aria-expanded={showsKeys}
            disabled={!talks}
            onClick={() => setShowsKeys(!showsKeys)}
          />
        )}
        {can.transfer !== null && !isConsulting && (
          <Control
            ref={transferButton}
            text={t('softphone.call.transfer')}
            icon={IconArrowUpRight}
            isCompact={isCompact}
            isOn={showsTransfer}
            aria-expanded={showsTransfer}
            disabled={!talks}
            onClick={() => setShowsTransfer(!showsTransfer)}
          />
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
          {t(isByTones ? 'transfer.byTones' : 'transfer.asking')}
        </Text>
      )}
      {isTransferring && isByTones && callKey !== null && (
        <Button size="xs" variant="default" mt="xs" onClick={() => workplace.keepCall(callKey)}>
          {t('transfer.keep')}
        </Button>
      )}
      {(showsTransfer || isConsulting) && talks && (
        <Boundary name={t('softphone.call.transfer')}>
          <Suspense fallback={null}>
            <TransferPanel onClose={closeTransfer} />
          </Suspense>
        </Boundary>
      )}
      {showsKeys && talks && (
        <Boundary name={t('softphone.call.keypad')}>
          <Suspense fallback={null}>
            <Keys label={t('softphone.call.keypadTones')} onKey={(tone) => workplace.sendDtmf(tone)} takesTyping />
          </Suspense>
        </Boundary>
      )}
    </>
  );
}

type ControlProps = { text: string; icon: Icon; isCompact: boolean; isOn: boolean } & ButtonProps &
  Omit<ComponentProps<'button'>, keyof ButtonProps>;

/** A button that does something to the call, or opens more. */
function Control({ text, icon: Mark, isCompact, isOn, ...button }: ControlProps) {
  const look = { size: 'xs', variant: isOn ? 'filled' : 'default' } as const;
  if (isCompact) {
    return (
      <Button {...button} {...look} px="xs" aria-label={text} title={text}>
        <Mark size={16} aria-hidden />
      </Button>
    );
  }
  return (
    <Button {...button} {...look} leftSection={<Mark size={14} aria-hidden />}>
      {text}
    </Button>
  );
}
