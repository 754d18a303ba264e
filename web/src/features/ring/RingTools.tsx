import { Button, Group, Stack, Text } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keepRingSettings, readRingSettings, type RingSettings, ringTones } from './ringSettings.ts';
import { tryRing } from '../workplace/sounds.ts';
import { ToolPopover } from '../workplace/ToolPopover.tsx';
import { AudioSettings } from './AudioSettings.tsx';
import { VolumeSlider } from './VolumeSlider.tsx';

/**
 * How this device rings and what it hears and plays calls by,
 * and whether the browser tells of a call while another window is in front.
 */
export function RingTools() {
  const { t } = useTranslation();
  return (
    <ToolPopover
      label={t('ring.tools')}
      title={t('ring.title')}
      icon={IconBell}
      dropdown={{
        tabIndex: -1,
        'data-autofocus': true,
        maw: 320,
        mah: 'calc(100dvh - 64px)',
        style: { overflowY: 'auto' },
      }}
    >
      {(isOpen) => isOpen && <Settings />}
    </ToolPopover>
  );
}

function Settings() {
  const { t } = useTranslation();
  const [settings, setSettings] = useState(readRingSettings);
  // Not at once: it opens the microphone.
  const [showsAudio, setShowsAudio] = useState(false);
  const change = (part: Partial<RingSettings>) => setSettings(keepRingSettings(part));
  return (
    <>
      <Stack gap="xs">
        <fieldset aria-label={t('ring.tone')} style={{ minWidth: 0, margin: 0, padding: 0, border: 0 }}>
          <Group gap={4}>
            {ringTones.map((tone) => (
              <Button
                key={tone}
                size="compact-sm"
                variant={settings.tone === tone ? 'filled' : 'default'}
                aria-pressed={settings.tone === tone}
                onClick={() => change({ tone })}
              >
                {t(`ring.tones.${tone}`)}
              </Button>
            ))}
          </Group>
        </fieldset>
        <VolumeSlider label={t('ring.volume')} value={settings.volume} onChange={(volume) => change({ volume })} />
        {settings.volume === 0 && <Text size="xs">{t('ring.silent')}</Text>}
        <Button size="compact-sm" variant="default" onClick={tryRing}>
          {t('ring.try')}
        </Button>
        <Notifications isOn={settings.notifies} onChange={(notifies) => change({ notifies })} />
      </Stack>
      <Button
        size="compact-sm"
        variant={showsAudio ? 'filled' : 'default'}
        mt="xs"
        aria-expanded={showsAudio}
        onClick={() => setShowsAudio(!showsAudio)}
      >
        {t('audio.title')}
      </Button>
      {showsAudio && <AudioSettings />}
    </>
  );
}

function Notifications({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const { t } = useTranslation();
  const [permission, setPermission] = useState(() =>
    typeof Notification === 'undefined' ? null : Notification.permission,
  );
  if (permission === null) return <Text size="xs">{t('ring.notify.unsupported')}</Text>;
  if (permission === 'denied') return <Text size="xs">{t('ring.notify.denied')}</Text>;
  const isActive = isOn && permission === 'granted';

  async function turn(): Promise<void> {
    const given = isActive ? permission : await Notification.requestPermission();
    setPermission(given);
    onChange(!isActive && given === 'granted');
  }

  return (
    <>
      <Button
        size="compact-sm"
        variant={isActive ? 'filled' : 'default'}
        aria-pressed={isActive}
        onClick={() => void turn()}
      >
        {t('ring.notify.title')}
      </Button>
      <Text size="xs" c="dimmed">
        {t('ring.notify.hint')}
      </Text>
    </>
  );
}
