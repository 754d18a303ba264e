import type { Sounds } from './call/callEffects.ts';
import { readRingSettings, type RingTone } from './ringSettings.ts';

type Tone = { frequencies: readonly number[]; onMs: number; everyMs: number; volume: number };

/** Of an incoming call. Hertz. */
const ringTones: Readonly<Record<RingTone, readonly number[]>> = { classic: [660, 880], soft: [440, 554], bright: [988, 1_319] };
/** At this setting tones are as loud as they are written here; twice as loud at most. */
const usualVolume = 50;

/** Quiet: a headset is close to the ear. The second is what a caller hears in most of Europe. */
const tones: Readonly<Record<'incoming' | 'outgoing' | 'due', Tone>> = {
  incoming: { frequencies: ringTones.classic, onMs: 900, everyMs: 3_000, volume: 0.06 },
  due: { frequencies: [784, 988], onMs: 350, everyMs: 1_000, volume: 0.05 },
  outgoing: { frequencies: [425], onMs: 1_000, everyMs: 5_000, volume: 0.03 },
};

/** An incoming call as this device rings. */
function incomingTone(): Tone {
  const { tone, volume } = readRingSettings();
  return { ...tones.incoming, frequencies: ringTones[tone], volume: (tones.incoming.volume * volume) / usualVolume };
}

/** Rings once, as this device is set. */
export function tryRing(): void {
  const context = new AudioContext();
  sound(context, incomingTone());
  setTimeout(() => void context.close(), tones.incoming.onMs + 100);
}

/** Rings by the browser's own synthesizer; a browser that plays nothing yet stays silent. */
export function createSounds(): Sounds {
  let context: AudioContext | null = null;
  let timer: ReturnType<typeof setInterval> | undefined;
  const silence = () => {
    clearInterval(timer);
    void context?.close();
    context = null;
  };
  return {
    silence,
    chime() {
      if (context !== null) return;
      const opened = new AudioContext();
      sound(opened, tones.due);
      setTimeout(() => void opened.close(), tones.due.everyMs);
    },
    ring(which) {
      silence();
      const opened = new AudioContext();
      context = opened;
      const tone = which === 'incoming' ? incomingTone() : tones[which];
      sound(opened, tone);
      timer = setInterval(() => sound(opened, tone), tone.everyMs);
    },
  };
}

function sound(context: AudioContext, { frequencies, onMs, volume }: Tone): void {
  const gain = context.createGain();
  const start = context.currentTime;
  const end = start + onMs / 1000;
  // Edges without a click.
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(volume, start + 0.03);
  gain.gain.setValueAtTime(volume, end - 0.05);
  gain.gain.linearRampToValueAtTime(0, end);
  gain.connect(context.destination);
  for (const frequency of frequencies) {
    const oscillator = new OscillatorNode(context, { frequency });
    oscillator.connect(gain);
    oscillator.start(start);
    oscillator.stop(end);
  }
}
