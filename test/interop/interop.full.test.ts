import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root, searchPath, startProgram } from '../../demo/cluster/program.ts';
import { wholePatienceMs } from '../support/time/pace.ts';
import { calls, needOwnNetwork } from './calls.ts';
import { privateNetwork } from './networkOfItsOwn.ts';

/** What vitest's JSON reporter writes, as far as it is read here. */
type Report = {
  testResults: { message: string; assertionResults: { title: string; status: string; failureMessages: string[] }[] }[];
};

const programs = ['kamailio', 'rtpengine', 'sipp'];

describe("a call over the company's own PBX", () => {
  const outcome = new Map<string, { status: string; failureMessages: string[] }>();
  let said = '';

  beforeAll(async () => {
    const missing = programs.find((program) => spawnSync('which', [program]).status !== 0);
    if (missing !== undefined) throw new Error(`${missing} is not installed`);

    const network = privateNetwork();
    const prefix = network.kind === 'private' ? network.prefix : [];
    if (network.kind === 'shared')
      console.log(`the calls are made in the machine's own network, on free ports: ${network.why}`);
    const directory = await mkdtemp(join(tmpdir(), 'readyline-interop-'));
    const report = join(directory, 'report.json');
    const vitest = [process.execPath, join(root, 'node_modules/vitest/vitest.mjs'), 'run'];
    const options = ['--config', join(root, 'test/interop/vitest.config.ts'), '--reporter=default', '--reporter=json'];
    const args = [...prefix, ...vitest, ...options, '--outputFile.json', report];
    try {
      const { stdout, stderr } = await startProgram('env', args, { env: { PATH: searchPath, NO_COLOR: '1' } }).ended;
      said = `${stdout}${stderr}`;
      const { testResults } = JSON.parse(await readFile(report, 'utf8')) as Report;
      for (const { assertionResults } of testResults) {
        for (const result of assertionResults) outcome.set(result.title, result);
      }
    } catch (error) {
      throw new Error(`the calls were not made:\n${said}`, { cause: error });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }, calls.length * wholePatienceMs());

  it.each(calls)('%s', (call) => {
    const result = outcome.get(call);
    expect(result?.failureMessages ?? [], said).toEqual([]);
    const isLeftOut = privateNetwork().kind === 'shared' && needOwnNetwork.includes(call);
    expect(result?.status, said).toBe(isLeftOut ? 'skipped' : 'passed');
  });

  it('is one of those above', () => {
    expect([...outcome.keys()].sort()).toEqual([...calls].sort());
  });
});
