import type { Redis } from 'ioredis';
import type { Entry } from './entries.ts';

/** Counts from now on. */
export async function forgetCommands(redis: Redis): Promise<void> {
  await redis.config('RESETSTAT');
}

/** Every command since then, those within scripts too. */
export async function readCommands(redis: Redis): Promise<Entry[]> {
  const told = await redis.info('commandstats');
  return [...told.matchAll(/^cmdstat_(\S+):calls=(\d+),usec=\d+,usec_per_call=([\d.]+)/gm)]
    .map(([, name = '', calls, each]) => ({
      kind: 'command' as const,
      what: name.replace('|', ' '),
      times: Number(calls),
      each: `${Number(each).toFixed(1)} µs`,
    }))
    .filter(({ what }) => !/^(?:info|config)/.test(what));
}
