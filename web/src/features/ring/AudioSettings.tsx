import '../../shared/styles/choices.ts';
import { Button, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type AudioPlace,
  type AudioSettings as Settings,
  keepAudioSettings,
  pluggedIn,
  readAudioSettings,
} from '../../lib/sip/audioDevices.ts';
import { useAudioDevices, useMicrophoneTest } from './useAudioDevices.ts';
import { TestCall } from './TestCall.tsx';
import { VolumeSlider } from './VolumeSlider.tsx';

const kinds = { microphone: 'audioinput', speaker: 'audiooutput', ringer: 'audiooutput' } as const;
const canChooseSpeaker = 'setSinkId' in HTMLMediaElement.prototype;
/** What rings is a synthesizer, which fewer browsers can send elsewhere. */
const canChooseRinger = 'setSinkId' in AudioContext.prototype;

/**
 * By what this computer hears and plays calls; while it is open the microphone is, too, so that its level can be seen.
 */
export function AudioSettings() {
  const { t } = useTranslation();
  const [settings, setSettings] = useState(readAudioSettings);
  const [hears, setHears] = useState(false);
  const test = useMicrophoneTest(settings, hears);
  const devices = useAudioDevices(test.isOpen);
  const change = (part: Partial<Settings>) => setSettings(keepAudioSettings(part));

  function select(place: AudioPlace) {
    const chosen = settings[place];
    const present = devices.filter(
      ({ kind, deviceId }) =>
        kind === kinds[place] && deviceId !== '' && deviceId !== 'default' && deviceId !== 'communications',
    );
    const used = pluggedIn(chosen, present);
    const gone =
      chosen !== null && used === null ? [{ value: chosen.id, label: t('audio.gone', { name: chosen.label }) }] : [];
    return (
      <NativeSelect
        size="xs"
        label={t(`audio.${place}`)}
        data={[
          { value: '', label: t(place === 'ringer' ? 'audio.none' : 'audio.default') },
          ...gone,
          ...present.map(({ deviceId, label }) => ({
            value: deviceId,
            label: label === '' ? t('audio.unnamed') : label,
          })),
        ]}
        value={used?.deviceId ?? chosen?.id ?? ''}
        onChange={({ currentTarget: { value } }) => {
          const device = present.find(({ deviceId }) => deviceId === value);
          change({ [place]: device === undefined ? null : { id: device.deviceId, label: device.label } });
        }}
      />
    );
  }

  const turn = (which: 'echoCancellation' | 'noiseSuppression') => (
    <Button
      size="compact-sm"
      variant={settings[which] ? 'filled' : 'default'}
      aria-pressed={settings[which]}
      onClick={() => change({ [which]: !settings[which] })}
    >
      {t(`audio.${which}`)}
    </Button>
  );

  return (
    <Stack component="section" aria-label={t('audio.title')} gap="xs" mt="xs">
      {select('microphone')}
      {test.refused === null ? (
        <meter
          min={0}
          max={100}
          low={5}
          value={test.level}
          aria-label={t('audio.level')}
          title={t('audio.level')}
          style={{ width: '100%' }}
        />
      ) : (
        <Text size="sm">{t(`phone.trouble.${test.refused}`)}</Text>
      )}
      {canChooseSpeaker ? (
        <>
          {select('speaker')}
          {canChooseRinger && select('ringer')}
        </>
      ) : (
        <Text size="xs">{t('audio.noSpeakers')}</Text>
      )}
      <VolumeSlider label={t('audio.volume')} value={settings.volume} onChange={(volume) => change({ volume })} />
      {settings.volume === 0 && <Text size="xs">{t('audio.silent')}</Text>}
      {turn('echoCancellation')}
      {turn('noiseSuppression')}
      <Button
        size="compact-sm"
        variant={hears ? 'filled' : 'default'}
        aria-pressed={hears}
        disabled={!test.isOpen}
        onClick={() => setHears(!hears)}
      >
        {t('audio.hearYourself')}
      </Button>
      <Text size="xs" c="dimmed">
        {t('audio.hearHint')}
      </Text>
      <TestCall />
    </Stack>
  );
}
