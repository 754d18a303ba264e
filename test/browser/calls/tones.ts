import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { eventually } from '../../support/time/waiting.ts';
import { type Heard, listenTo } from './ears.ts';

/**
 * Twenty seconds of a tone, which the browser's microphone plays again and again. It wavers by some hertz: a pure one
 * may meet its own echo half a wave later, where both are heard together, and be heard by nobody. @returns the file
 */
export function toneFile(hertz: number): string {
  const rate = 48_000;
  const samples = rate * 20;
  const bytes = Buffer.concat([waveHeader(rate, samples), Buffer.alloc(samples * 2)]);
  for (let n = 0; n < samples; n++) {
    const phase = (2 * Math.PI * hertz * n) / rate + 4 * Math.sin((2 * Math.PI * 2 * n) / rate);
    bytes.writeInt16LE(Math.round(12_000 * Math.sin(phase)), 44 + n * 2);
  }
  const path = join(mkdtempSync(join(tmpdir(), 'readyline-tone-')), 'tone.wav');
  writeFileSync(path, bytes);
  return path;
}

/** What stands before samples of 16 bits, of one channel, in a WAV file: 44 bytes. */
export function waveHeader(rate: number, samples: number): Buffer {
  const bytes = Buffer.alloc(44);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + samples * 2, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(samples * 2, 40);
  return bytes;
}

/** Waits for a tone of the audio element that the page has made last, and answers its frequency in hertz. */
export function toneAt(page: Page): Promise<number> {
  return tone(() => page.evaluate(listenTo, { ms: 400, whose: 'last' } as const));
}

/** Waits for any tone, and answers its frequency in hertz. */
export async function tone(listen: () => Promise<Heard>): Promise<number> {
  const { hertz } = await eventually(async () => {
    const heard = await listen();
    if (heard.decibels < -50) throw new Error(`no tone is heard, at most ${heard.decibels} dB at ${heard.hertz} Hz`);
    return heard;
  });
  return hertz;
}
