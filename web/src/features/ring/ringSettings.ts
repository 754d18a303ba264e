/**
 * How this device rings, as the agent chose. `volume`: 0 to 100.
 * `notifies`: whether the browser tells of a call while another window is in front.
 */
export type RingSettings = { tone: RingTone; volume: number; notifies: boolean };

export const ringTones = ['classic', 'soft', 'bright'] as const;
export type RingTone = (typeof ringTones)[number];

const key = 'readyline.ring';
const usual: RingSettings = { tone: 'classic', volume: 50, notifies: false };

/** What was chosen on this device; the usual for what is missing, or is none of the choices. */
export function readRingSettings(): RingSettings {
  const stored = parsed(localStorage.getItem(key));
  const { tone, volume, notifies } = stored;
  return {
    tone: ringTones.find((one) => one === tone) ?? usual.tone,
    volume: typeof volume === 'number' && volume >= 0 && volume <= 100 ? volume : usual.volume,
    notifies: notifies === true,
  };
}

/** Keeps a choice on this device. */
export function keepRingSettings(change: Partial<RingSettings>): RingSettings {
  const settings = { ...readRingSettings(), ...change };
  localStorage.setItem(key, JSON.stringify(settings));
  return settings;
}

function parsed(text: string | null): Partial<Record<keyof RingSettings, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return value instanceof Object ? value : {};
  } catch {
    return {};
  }
}
