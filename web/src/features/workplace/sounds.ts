import { deviceFor, readAudioSettings } from '../../lib/sip/audioDevices.ts';
import type { Sounds } from './call/callEffects.ts';
import { readRingSettings, type RingTone } from '../ring/ringSettings.ts';

type Tone = { frequencies: readonly number[]; onMs: number; everyMs: number; volume: number };

/** Of an incoming call. Hertz. */
const ringTones: Readonly<Record<RingTone, readonly number[]>> = {
  classic: [660, 880],
  soft: [440, 554],
  bright: [988, 1_319],
};
/** At this setting tones are as loud as they are written here; twice as loud at most. */
const usualVolume = 50;

/** Quiet: a headset is close to the ear. The second is what a caller hears in most of Europe. */
const tones: Readonly<Record<'incoming' | 'outgoing' | 'waiting' | 'due', Tone>> = {
  incoming: { frequencies: ringTones.classic, onMs: 900, everyMs: 3_000, volume: 0.06 },
  due: { frequencies: [784, 988], onMs: 350, everyMs: 1_000, volume: 0.05 },
  // Short, and far between: the agent talks meanwhile.
  waiting: { frequencies: [425], onMs: 200, everyMs: 6_000, volume: 0.03 },
  outgoing: { frequencies: [425], onMs: 1_000, everyMs: 5_000, volume: 0.03 },
};

/** An incoming call as this device rings. */
function incomingTone(): Tone {
  const { tone, volume } = readRingSettings();
  return { ...tones.incoming, frequencies: ringTones[tone], volume: (tones.incoming.volume * volume) / usualVolume };
}

/** Rings once, as this device is set. */
export function tryRing(): void {
  const stop = begin(incomingTone(), 'rings');
  setTimeout(stop, tones.incoming.onMs + 100);
}

/** Not every browser can choose where a synthesizer is heard. */
type Context = AudioContext & { setSinkId?: (id: string) => Promise<void> };

/**
 * Plays a tone again and again at the chosen speaker, and, where it rings, at the device that is to ring besides.
 * @returns how to end it
 */
function begin(tone: Tone, rings?: 'rings'): () => void {
  const contexts = new Set<Context>();
  const play = (context: Context) => {
    contexts.add(context);
    sound(context, tone);
  };
  let isOver = false;
  const first: Context = new AudioContext();
  if (readAudioSettings().speaker === null || first.setSinkId === undefined) play(first);
  else void routed(first, 'speaker').finally(() => !isOver && play(first));
  if (rings !== undefined && readAudioSettings().ringer !== null && first.setSinkId !== undefined) {
    const second: Context = new AudioContext();
    void routed(second, 'ringer').then((isThere) => (isThere && !isOver ? play(second) : second.close()));
  }
  const again = setInterval(() => {
    for (const context of contexts) sound(context, tone);
  }, tone.everyMs);
  return () => {
    isOver = true;
    clearInterval(again);
    for (const context of contexts.add(first)) void context.close();
  };
}

/** Whether it is heard there now: the device was chosen, and is plugged in. */
async function routed(context: Context, place: 'speaker' | 'ringer'): Promise<boolean> {
  const id = await deviceFor(place).catch(() => null);
  if (id === null) return false;
  return (
    context.setSinkId?.(id).then(
      () => true,
      () => false,
    ) ?? false
  );
}

/** Rings by the browser's own synthesizer; a browser that plays nothing yet stays silent. */
export function createSounds(): Sounds {
  let stop: (() => void) | null = null;
  const silence = () => {
    stop?.();
    stop = null;
  };
  return {
    silence,
    chime() {
      if (stop !== null) return;
      const opened = new AudioContext();
      sound(opened, tones.due);
      setTimeout(() => void opened.close(), tones.due.everyMs);
    },
    ring(which) {
      silence();
      stop = which === 'incoming' ? begin(incomingTone(), 'rings') : begin(tones[which]);
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
