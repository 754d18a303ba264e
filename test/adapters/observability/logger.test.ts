import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { searchPath } from '../../../demo/cluster/program.ts';
import { terminalLine } from '../../../src/adapters/observability/terminalLine.ts';

const logger = fileURLToPath(new URL('../../../src/adapters/observability/logger.ts', import.meta.url));

describe('the logger', () => {
  it('neither ends the process nor keeps it from ending when the disk is full', () => {
    const program = `
      const { createLogger } = await import(${JSON.stringify(logger)});
      const logger = createLogger('info');
      const stream = Object.getOwnPropertySymbols(logger).find(({ description }) => description === 'pino.stream');
      const output = logger[stream];
      for (let failures = 0; failures < 2; failures++) {
        const failed = new Promise((resolve) => output.once('error', resolve));
        logger.info('a line');
        await failed;
      }
      console.error('goes on');
      process.exit(0);`;
    const full = openSync('/dev/full', 'w');
    const args = ['--import', 'tsx', '--input-type=module', '--eval', program];
    const { status, stderr } = spawnSync(process.execPath, args, {
      stdio: ['ignore', full, 'pipe'],
      timeout: 15_000,
      encoding: 'utf8',
    });
    closeSync(full);
    expect([status, stderr.trim()]).toEqual([0, 'goes on']);
  });

  it.runIf(process.platform === 'linux')(
    'writes short lines to a terminal, without requests that were served, and JSON elsewhere',
    () => {
      const program = `
      const { createLogger } = await import(${JSON.stringify(logger)});
      const logger = createLogger('info');
      logger.info('made a new database');
      logger.info({ method: 'GET', route: '/assets', status: 200, ms: 1.2, code: null }, 'request');
      const refused = { status: 401, ms: 12, code: 'unauthenticated', request_id: 'r' };
      logger.info({ method: 'POST', route: '/api/auth/login', ...refused }, 'request');`;
      const command = '"$NODE" --import tsx --input-type=module --eval "$PROGRAM"';
      const options = {
        env: { PATH: searchPath, NODE: process.execPath, PROGRAM: program },
        encoding: 'utf8',
        timeout: 30_000,
      } as const;
      const inTerminal = spawnSync('script', ['-qec', command, '/dev/null'], options);
      expect(inTerminal.stdout.replaceAll(/^\d\d:\d\d:\d\d/gm, 'at').split('\r\n')).toEqual([
        'at  made a new database',
        'at  POST /api/auth/login 401 unauthenticated 12 ms',
        '',
      ]);
      const elsewhere = spawnSync('sh', ['-c', command], options);
      expect(
        elsewhere.stdout
          .trim()
          .split('\n')
          .map((line) => (JSON.parse(line) as { msg: string }).msg),
      ).toEqual(['made a new database', 'request', 'request']);
    },
  );
});

describe('a line of the log for people', () => {
  const line = (more: object) => terminalLine(JSON.stringify({ level: 30, time: '2026-11-27T20:56:36.639Z', ...more }));

  it('tells what else was logged, and how bad it is', () => {
    expect(line({ level: 40, networks: 'loopback', list: [1], msg: 'webhooks may go elsewhere' })).toBe(
      '20:56:36  warning: webhooks may go elsewhere networks=loopback list=[1]\n',
    );
  });

  it('has what was thrown in it, and where, below', () => {
    const err = { type: 'TypeError', message: 'no', stack: 'TypeError: no\n    at one\n    at two' };
    expect(
      line({ level: 50, method: 'GET', route: '/x', status: 500, ms: 3, code: 'internal', err, msg: 'request' }),
    ).toBe('20:56:36  error: GET /x 500 internal 3 ms: TypeError: no\n    at one\n    at two\n');
  });

  it('leaves out what was served or given up, and nothing that failed', () => {
    const request = { method: 'GET', route: '/x', ms: 3, code: null, msg: 'request' };
    expect([200, 304, 404, 499, 503].map((status) => line({ ...request, status }) !== null)).toEqual([
      false,
      false,
      true,
      false,
      true,
    ]);
  });

  it('moves no cursor, whatever others have written', () => {
    expect(line({ msg: 'a\u001b[2Jb\r\nc', from: '\u202e' })).toBe('20:56:36  a?[2Jb??c from=?\n');
  });
});
