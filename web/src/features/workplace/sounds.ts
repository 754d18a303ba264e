import type { Sounds } from './call/callEffects.ts';

type Tone = { frequencies: readonly number[]; onMs: number; everyMs: number; volume: number };

/** Quiet: a headset is close to the ear. The second is what a caller hears in most of Europe. */
const tones: Readonly<Record<'incoming' | 'outgoing' | 'due', Tone>> = {
  incoming: { frequencies: [660, 880], onMs: 900, everyMs: 3_000, volume: 0.06 },
  due: { frequencies: [784, 988], onMs: 350, everyMs: 1_000, volume: 0.05 },
  outgoing: { frequencies: [425], onMs: 1_000, everyMs: 5_000, volume: 0.03 },
};

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
      sound(opened, tones[which]);
      timer = setInterval(() => sound(opened, tones[which]), tones[which].everyMs);
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
