import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  deviceFor,
  keepAudioSettings,
  onAudioSettings,
  pluggedIn,
  readAudioSettings,
} from '../../../../web/src/lib/sip/audioDevices.ts';

let stored: string | null;
let devices: { kind: string; deviceId: string; label: string }[];

beforeEach(() => {
  stored = null;
  devices = [];
  vi.stubGlobal('localStorage', {
    getItem: () => stored,
    setItem: (_key: string, value: string) => void (stored = value),
  });
  vi.stubGlobal('navigator', { mediaDevices: { enumerateDevices: () => Promise.resolve(devices) } });
});
afterEach(() => vi.unstubAllGlobals());

const headset = { id: 'one', label: 'Headset' };
const usual = {
  microphone: null,
  speaker: null,
  ringer: null,
  volume: 100,
  echoCancellation: true,
  noiseSuppression: true,
};

describe('the audio settings of a device', () => {
  it.each([
    null,
    '',
    'no JSON',
    '7',
    '[]',
    'null',
    '{"microphone":7,"speaker":{"id":""},"ringer":{"id":"a"},"echoCancellation":"no"}',
    '{"volume":"50"}',
    '{"volume":-1}',
    '{"volume":101}',
  ])('are the usual ones where %s is kept', (text) => {
    stored = text;
    expect(readAudioSettings()).toEqual(usual);
  });

  it('are kept one by one, and told', () => {
    const told = vi.fn<() => void>();
    const stop = onAudioSettings(told);
    keepAudioSettings({ microphone: headset });
    keepAudioSettings({ noiseSuppression: false });
    stop();
    expect(keepAudioSettings({ microphone: null })).toEqual({ ...usual, noiseSuppression: false });
    expect(told).toHaveBeenCalledTimes(2);
  });
});

describe('a chosen device', () => {
  it.each([
    [
      'its id, whatever its name',
      [
        { deviceId: 'two', label: 'Headset' },
        { deviceId: 'one', label: 'Casque' },
      ],
      'one',
    ],
    ['its name, at another socket', [{ deviceId: 'two', label: 'Headset' }], 'two'],
    [
      'nothing while it is not there',
      [
        { deviceId: 'two', label: 'Laptop' },
        { deviceId: '', label: '' },
      ],
      null,
    ],
  ])('is known by %s', (_, present, id) => {
    expect(pluggedIn(headset, present)?.deviceId ?? null).toBe(id);
    expect(pluggedIn(null, present)).toBeNull();
  });

  it('without a name is not taken for others without one', () => {
    expect(pluggedIn({ id: 'one', label: '' }, [{ deviceId: 'two', label: '' }])).toBeNull();
  });

  it('is looked for among those that can do it', async () => {
    keepAudioSettings({ microphone: headset, speaker: headset });
    devices = [{ kind: 'audiooutput', deviceId: 'out', label: 'Headset' }];
    expect([await deviceFor('microphone'), await deviceFor('speaker'), await deviceFor('ringer')]).toEqual([
      null,
      'out',
      null,
    ]);
  });
});
