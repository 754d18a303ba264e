import { Button } from '@mantine/core';
import { IconDialpad, IconMicrophone, IconMicrophoneOff, IconPhoneOff, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import type { CallView } from '../../../../src/contract/calls.ts';
import classes from './CallPanel.module.css';
import { Keys } from './Keys.tsx';
import { useWorkplace } from '../workplace/workplaceContext.ts';

/** Mute, hold, keypad and hang up, as far as the telephone is able to. */
export function CallControls({ call }: { call: CallView }) {
  const { view, workplace } = useWorkplace();
  const [showsKeys, setShowsKeys] = useState(false);
  const { can, isMuted, isHeld } = view;
  const isTalking = call.state === 'connected' || call.state === 'held';
  return (
    <>
      <fieldset className={classes.controls} aria-label="Call controls">
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
            Mute
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
            Hold
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
            Keypad
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
          Hang up
        </Button>
      </fieldset>
      {showsKeys && isTalking && <Keys label="Keypad: sends tones" onKey={(tone) => workplace.sendDtmf(tone)} takesTyping />}
    </>
  );
}
