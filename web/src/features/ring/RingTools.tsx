import { ActionIcon, Button, Group, Popover, Stack, Text, Title } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keepRingSettings, readRingSettings, type RingSettings, ringTones } from './ringSettings.ts';
import { tryRing } from '../workplace/sounds.ts';
import { AudioSettings } from './AudioSettings.tsx';

/**
 * How this device rings and what it hears and plays calls by,
 * and whether the browser tells of a call while another window is in front.
 */
export function RingTools() {
  const { t } = useTranslation();
  const volumeId = useId();
  const [settings, setSettings] = useState(readRingSettings);
  // Not at once: it opens the microphone.
  const [showsAudio, setShowsAudio] = useState(false);
  const change = (part: Partial<RingSettings>) => setSettings(keepRingSettings(part));
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus onClose={() => setShowsAudio(false)}>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('ring.tools')} title={t('ring.tools')}>
          <IconBell size={18} stroke={1.75} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown
        tabIndex={-1}
        data-autofocus
        aria-label={t('ring.tools')}
        maw={320}
        mah="calc(100dvh - 64px)"
        style={{ overflowY: 'auto' }}
      >
        <Title order={2} size="h3" mb="xs">
          {t('ring.title')}
        </Title>
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
          <label htmlFor={volumeId}>
            <Text size="sm">{t('ring.volume')}</Text>
          </label>
          <input
            id={volumeId}
            type="range"
            min={0}
            max={100}
            step={5}
            value={settings.volume}
            style={{ accentColor: 'var(--mantine-primary-color-filled)' }}
            onChange={(event) => change({ volume: event.currentTarget.valueAsNumber })}
          />
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
      </Popover.Dropdown>
    </Popover>
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
