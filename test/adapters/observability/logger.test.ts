import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const logger = fileURLToPath(new URL('../../../src/adapters/observability/logger.ts', import.meta.url));

describe('the logger', () => {
  it('neither ends the process nor keeps it from ending when the disk is full', () => {
    const program = `
      const { createLogger } = await import(${JSON.stringify(logger)});
      const logger = createLogger('info');
      const output = logger[Object.getOwnPropertySymbols(logger).find((symbol) => symbol.description === 'pino.stream')];
      for (let failures = 0; failures < 2; failures++) {
        const failed = new Promise((resolve) => output.once('error', resolve));
        logger.info('a line');
        await failed;
      }
      console.error('goes on');
      process.exit(0);`;
    const full = openSync('/dev/full', 'w');
    const args = ['--import', 'tsx', '--input-type=module', '--eval', program];
    const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', full, 'pipe'], timeout: 15_000, encoding: 'utf8' });
    closeSync(full);
    expect([status, stderr.trim()]).toEqual([0, 'goes on']);
  });
});
