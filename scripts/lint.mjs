// npm run lint: types, lint rules, the layering of the folders and the format.
// All of them run, whatever the others say.
import './nodeVersion.mjs';
import { spawnSync } from 'node:child_process';
import { ensureGenerated } from './generate.mjs';
import { ensureInstalled } from './install.mjs';
import { fromRoot } from './project.mjs';

ensureInstalled();
ensureGenerated();
const checks = [
  ['typescript/bin/tsc', '-p', 'tsconfig.json'],
  ['typescript/bin/tsc', '-p', 'web/tsconfig.json'],
  ['typescript/bin/tsc', '-p', 'test/tsconfig.json'],
  ['oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
  ['dependency-cruiser/bin/dependency-cruise.mjs', 'src'],
  ['prettier/bin/prettier.cjs', '--check', '--cache', '.'],
];
let failed = false;
for (const [program = '', ...args] of checks) {
  console.log(`> ${[program.split('/').at(-1), ...args].join(' ')}`);
  const options = { cwd: fromRoot('.'), stdio: /** @type {const} */ ('inherit') };
  const { status } = spawnSync(process.execPath, [fromRoot(`node_modules/${program}`), ...args], options);
  failed ||= status !== 0;
}
process.exit(failed ? 1 : 0);
