import './nodeVersion.mjs';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ensureGenerated } from './generate.mjs';
import { ensureInstalled } from './install.mjs';
import { fromRoot, isProgram, mustRun, say } from './project.mjs';

const source = fromRoot('src');
const output = fromRoot('dist');

/** Makes the gateway and its pages, unless they were made from the same files. */
export function ensureBuilt() {
  ensureGatewayBuilt();
  ensurePagesBuilt();
}

/** Builds web/ into web/dist/. */
function ensurePagesBuilt() {
  const web = fromRoot('web');
  const output = join(web, 'dist');
  const shared = ['contract', 'client'].flatMap((room) => listFiles(join(source, room)));
  const own = listFiles(web).filter((path) => !path.startsWith(`${output}/`));
  const stamp = fingerprint([...own, ...shared, fromRoot('package-lock.json')]);
  const stampFile = join(output, '.stamp');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  say('building the pages');
  const fresh = fromRoot(`web/.dist-${process.pid}`);
  process.on('exit', () => rmSync(fresh, { recursive: true, force: true }));
  const vite = fromRoot('node_modules/vite/bin/vite.js');
  const options = ['--config', join(web, 'vite.config.ts'), '--outDir', fresh, '--logLevel', 'warn'];
  // A test that starts a gateway has another NODE_ENV, with which the pages would be those of a developer.
  mustRun(process.execPath, [vite, 'build', ...options], { NODE_ENV: 'production' });
  writeFileSync(join(fresh, '.stamp'), stamp);
  putInPlace(fresh, output, stamp);
}

/** Compiles src/ into dist/. */
function ensureGatewayBuilt() {
  const files = listFiles(source);
  const stamp = fingerprint([...files, fromRoot('tsconfig.json'), fromRoot('tsconfig.build.json'), fromRoot('package-lock.json')]);
  const stampFile = join(output, '.stamp');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  say('compiling');
  // Beside dist/ and then in its place, so that no gateway ever starts from half a build.
  const fresh = fromRoot(`.dist-${process.pid}`);
  process.on('exit', () => rmSync(fresh, { recursive: true, force: true }));
  mustRun(process.execPath, [fromRoot('node_modules/typescript/bin/tsc'), '-p', fromRoot('tsconfig.build.json'), '--outDir', fresh]);
  for (const file of files.filter((path) => path.endsWith('.lua'))) cpSync(file, join(fresh, relative(source, file)));
  writeFileSync(join(fresh, '.stamp'), stamp);
  putInPlace(fresh, output, stamp);
}

/**
 * Puts a finished build where the one before it was; whoever reads meanwhile finds a whole build or none.
 * @param {string} fresh
 * @param {string} output
 * @param {string} stamp
 */
function putInPlace(fresh, output, stamp) {
  const stampFile = join(output, '.stamp');
  const former = `${fresh}-former`;
  try {
    renameSync(output, former);
    rmSync(former, { recursive: true, force: true });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
  }
  try {
    renameSync(fresh, output);
  } catch (error) {
    // Another start has put the same build there meanwhile.
    if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) throw error;
  }
}

/**
 * @param {string} folder
 * @returns {string[]} every file below, in a fixed order
 */
function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('/.dist-'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** @param {string[]} files */
function fingerprint(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(relative(source, file)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

if (isProgram(import.meta.url)) {
  ensureInstalled();
  ensureGenerated();
  ensureBuilt();
}
