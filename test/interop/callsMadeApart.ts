import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, searchPath, startProgram } from '../../demo/cluster/program.ts';
import { privateNetwork } from './networkOfItsOwn.ts';

/** What vitest's JSON reporter writes, as far as it is read here. */
type Report = {
  testResults: { message: string; assertionResults: { title: string; status: string; failureMessages: string[] }[] }[];
};

/** What became of each call, by its sentence; and all that was written meanwhile. */
export type Made = { outcome: Map<string, { status: string; failureMessages: string[] }>; said: string };

/**
 * Makes the calls of a file in a network of their own, where this machine gives one.
 * @param file of this folder
 * @param programs that it needs. Throws where one is not installed
 */
export async function makeCalls(file: string, programs: readonly string[]): Promise<Made> {
  const missing = programs.find((program) => spawnSync('which', [program]).status !== 0);
  if (missing !== undefined) throw new Error(`${missing} is not installed`);

  const network = privateNetwork();
  const prefix = network.kind === 'private' ? network.prefix : [];
  if (network.kind === 'shared')
    console.log(`the calls are made in the machine's own network, on free ports: ${network.why}`);
  const directory = await mkdtemp(join(tmpdir(), 'readyline-interop-'));
  const report = join(directory, 'report.json');
  const vitest = [process.execPath, join(root, 'node_modules/vitest/vitest.mjs'), 'run', file];
  const options = ['--config', join(root, 'test/interop/vitest.config.ts'), '--reporter=default', '--reporter=json'];
  const args = [...prefix, ...vitest, ...options, '--outputFile.json', report];
  let said = '';
  try {
    const { stdout, stderr } = await startProgram('env', args, { env: { PATH: searchPath, NO_COLOR: '1' } }).ended;
    said = `${stdout}${stderr}`;
    const { testResults } = JSON.parse(await readFile(report, 'utf8')) as Report;
    const results = testResults.flatMap(({ assertionResults }) => assertionResults);
    return { outcome: new Map(results.map((result) => [result.title, result])), said };
  } catch (error) {
    throw new Error(`the calls were not made:\n${said}`, { cause: error });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
