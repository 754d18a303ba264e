/** A device as it was chosen. Browsers give it another id in another profile, or at another socket; its label stays. */
export type ChosenDevice = { id: string; label: string };

export type AudioPlace = 'microphone' | 'speaker' | 'ringer';

/**
 * What this computer hears and plays calls by. Null: the system's default; of `ringer`, which rings besides: none.
 * `volume`: how loud calls are played, percent of what the system allows.
 */
export type AudioSettings = Record<AudioPlace, ChosenDevice | null> & {
  volume: number;
  echoCancellation: boolean;
  noiseSuppression: boolean;
};

const key = 'readyline.audio';
const changes = new EventTarget();

/** What was chosen on this device; the usual for what is missing, or is none of the choices. */
export function readAudioSettings(): AudioSettings {
  const stored = parsed(localStorage.getItem(key));
  return {
    microphone: deviceIn(stored['microphone']),
    speaker: deviceIn(stored['speaker']),
    ringer: deviceIn(stored['ringer']),
    volume: volumeIn(stored['volume']),
    echoCancellation: stored['echoCancellation'] !== false,
    noiseSuppression: stored['noiseSuppression'] !== false,
  };
}

/** Keeps a choice on this device, and has it heard by the call that lasts. */
export function keepAudioSettings(change: Partial<AudioSettings>): AudioSettings {
  const settings = { ...readAudioSettings(), ...change };
  localStorage.setItem(key, JSON.stringify(settings));
  changes.dispatchEvent(new Event('change'));
  return settings;
}

/** Listens for choices of this page. @returns how to stop */
export function onAudioSettings(listener: () => void): () => void {
  changes.addEventListener('change', listener);
  return () => changes.removeEventListener('change', listener);
}

/**
 * That device among those that are plugged in, by its id, else by its label; null: it is not there, or none was chosen.
 */
export function pluggedIn<D extends { deviceId: string; label: string }>(
  chosen: ChosenDevice | null,
  devices: readonly D[],
): D | null {
  if (chosen === null) return null;
  return (
    devices.find(({ deviceId }) => deviceId === chosen.id) ??
    devices.find(({ label }) => label !== '' && label === chosen.label) ??
    null
  );
}

/**
 * The id of the device that was chosen for it; null: the default,
 * as none was chosen or the chosen one is not plugged in.
 */
export async function deviceFor(place: AudioPlace): Promise<string | null> {
  const chosen = readAudioSettings()[place];
  if (chosen === null) return null;
  const kind = place === 'microphone' ? 'audioinput' : 'audiooutput';
  const devices = (await navigator.mediaDevices.enumerateDevices()).filter((device) => device.kind === kind);
  return pluggedIn(chosen, devices)?.deviceId ?? null;
}

function parsed(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return value instanceof Object ? { ...value } : {};
  } catch {
    return {};
  }
}

function deviceIn(value: unknown): ChosenDevice | null {
  const { id, label } = value instanceof Object ? (value as Record<string, unknown>) : {};
  return typeof id === 'string' && id !== '' && typeof label === 'string' ? { id, label } : null;
}

function volumeIn(value: unknown): number {
  return typeof value === 'number' && value >= 0 && value <= 100 ? value : 100;
}
