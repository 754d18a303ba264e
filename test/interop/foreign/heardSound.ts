import { readFile, stat } from 'node:fs/promises';
import { eventually } from '../../support/time/waiting.ts';

/** What each of them says all the time, in hertz: no tone is an overtone of another. */
export const tones = { agent: 1_000, customer: 440, colleague: 700 } as const;
export type Voice = keyof typeof tones;

/** Quieter than this, of 1, is nothing that one hears. */
const audible = 0.01;
/** Seconds: of less, tones are not told apart. */
const windowSeconds = 0.2;
const headerBytes = 44;

/** What a telephone has heard: a WAV file of one channel that grows. */
export class HeardSound {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Waits until exactly these are heard at the same time. */
  async hears(...voices: Voice[]): Promise<void> {
    const wanted = [...voices].sort().join();
    const from = await this.#size();
    await eventually(async () => {
      const { samples, rate } = await this.#since(from);
      const size = Math.ceil(windowSeconds * rate);
      if (samples.length < size) throw new Error('nothing new is heard');
      const heard = heardIn(samples.subarray(samples.length - size), rate);
      if (heard !== wanted) throw new Error(`${heard || 'nobody'} is heard, and not ${wanted}`);
    });
  }

  /** Waits until nobody is heard while something else is waited for. */
  async isSilentWhile(something: () => Promise<unknown>): Promise<void> {
    await eventually(async () => {
      const from = await this.#size();
      await something();
      const { samples, rate } = await this.#since(from);
      const size = Math.ceil(windowSeconds * rate);
      if (samples.length < size) throw new Error('nobody has listened');
      for (let at = 0; at + size <= samples.length; at += size) {
        const heard = heardIn(samples.subarray(at, at + size), rate);
        if (heard !== '') throw new Error(`${heard} is heard`);
      }
    });
  }

  async #size(): Promise<number> {
    return (await stat(this.#path)).size;
  }

  async #since(byte: number): Promise<{ samples: Float64Array; rate: number }> {
    const file = await readFile(this.#path);
    const start = Math.max(headerBytes, byte + (byte % 2));
    const samples = new Float64Array(Math.max(0, Math.floor((file.length - start) / 2)));
    for (let n = 0; n < samples.length; n += 1) samples[n] = file.readInt16LE(start + n * 2) / 32_768;
    return { samples, rate: file.readUInt32LE(24) };
  }
}

function heardIn(samples: Float64Array, rate: number): string {
  const heard = (Object.keys(tones) as Voice[]).filter((voice) => loudness(samples, rate, tones[voice]) >= audible);
  return heard.sort().join();
}

/** How loud one tone is in it, of 1: its part of the Fourier transform, without what a cut-off end makes of others. */
function loudness(samples: Float64Array, rate: number, hertz: number): number {
  let [real, imaginary, weights] = [0, 0, 0];
  samples.forEach((sample, n) => {
    const weight = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / samples.length);
    const turn = (2 * Math.PI * hertz * n) / rate;
    real += weight * sample * Math.cos(turn);
    imaginary += weight * sample * Math.sin(turn);
    weights += weight;
  });
  return (2 * Math.hypot(real, imaginary)) / weights;
}
