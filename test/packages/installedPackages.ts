import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, searchPath, startProgram, type Program } from '../../demo/cluster/program.ts';

/**
 * The folders of what a package needs, and of what these need, from this repository's own node_modules: so installing
 * needs no network. Of several versions of one package the first is taken; npm refuses it where it does not fit.
 */
async function dependenciesOf(folder: string, found = new Map<string, string>()): Promise<Map<string, string>> {
  const { dependencies = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) {
    if (found.has(name)) continue;
    const nested = join(folder, 'node_modules', name);
    const dependency = existsSync(nested) ? nested : join(root, 'node_modules', name);
    found.set(name, dependency);
    await dependenciesOf(dependency, found);
  }
  return found;
}

/** An empty project, somewhere else, into which an integrator has installed files made by `npm pack`. */
export class IntegratorProject {
  readonly folder: string;
  /** The files of the two packages that were installed. */
  readonly tarballs: string[];
  readonly #programs: Program[] = [];

  private constructor(folder: string, tarballs: string[]) {
    this.folder = folder;
    this.tarballs = tarballs;
  }

  /** Builds the packages where they are not, packs them and installs them. */
  static async create(): Promise<IntegratorProject> {
    const folder = await mkdtemp(join(tmpdir(), 'readyline-integrator-'));
    try {
      return new IntegratorProject(folder, await IntegratorProject.#install(folder));
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** @returns the files of the two packages */
  static async #install(folder: string): Promise<string[]> {
    const [own, others] = [join(folder, 'own'), join(folder, 'others')];
    await Promise.all([mkdir(own), mkdir(others)]);
    await run(process.execPath, [join(root, 'scripts/packages.mjs')], root, folder);
    await npm(
      folder,
      'pack',
      '--pack-destination',
      own,
      join(root, 'packages/client'),
      join(root, 'packages/webhooks'),
    );
    await npm(
      folder,
      'pack',
      '--pack-destination',
      others,
      ...(await dependenciesOf(join(root, 'packages/client'))).values(),
    );
    await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}');
    const files = async (where: string) => (await readdir(where)).map((name) => join(where, name));
    const tarballs = await files(own);
    await npm(folder, 'install', '--offline', '--no-audit', '--no-fund', ...tarballs, ...(await files(others)));
    return tarballs;
  }

  async write(file: string, text: string): Promise<void> {
    await writeFile(join(this.folder, file), text);
  }

  /** Starts a program of the project; ended with the project. */
  start(file: string, env: Record<string, string>): Program {
    const program = startProgram(process.execPath, [file], { cwd: this.folder, env: { PATH: searchPath, ...env } });
    this.#programs.push(program);
    return program;
  }

  /** What the TypeScript compiler says of those files; nothing where it is content. */
  async compile(files: readonly string[], options: readonly string[]): Promise<string> {
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    return (
      await startProgram(process.execPath, [compiler, '--noEmit', '--strict', ...options, ...files], {
        cwd: this.folder,
      }).ended
    ).stdout;
  }

  async remove(): Promise<void> {
    for (const program of this.#programs) await program.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function npm(folder: string, ...args: string[]): Promise<void> {
  await run('npm', [...args, '--ignore-scripts', '--loglevel=error'], folder, folder);
}

/** @param home for what programs keep between runs */
async function run(file: string, args: readonly string[], cwd: string, home: string): Promise<void> {
  const env = { PATH: searchPath, HOME: home, npm_config_update_notifier: 'false' };
  const { code, stdout, stderr } = await startProgram(file, args, { cwd, env }).ended;
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${String(code)}:\n${stdout}\n${stderr}`);
}
