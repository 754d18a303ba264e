// Started once for the whole test run (vitest's globalSetup).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { freePort } from './ports.ts';
import { databaseCount } from './redis.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of the run's server, without a database number. */
    redisServerUrl: string;
  }
}

/** Starts a redis-server that keeps nothing. */
export default async function startRedis(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'readyline-test-redis-'));
  const port = String(await freePort());
  const settings = { port, bind: '127.0.0.1', dir: directory, save: '', appendonly: 'no', databases: String(databaseCount) };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(server, 'exit');
  let output = '';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`redis-server did not start: ${output}`)));
    server.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Ready to accept connections')) resolve();
    });
  });
  project.provide('redisServerUrl', `redis://127.0.0.1:${port}`);
  return async () => {
    server.kill('SIGTERM');
    await ended;
    await rm(directory, { recursive: true, force: true });
  };
}
