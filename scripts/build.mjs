import './nodeVersion.mjs';
import { cpSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ensureFresh, listFiles } from './freshBuild.mjs';
import { ensureGenerated } from './generate.mjs';
import { ensureInstalled } from './install.mjs';
import { fromRoot, isProgram, mustRun, say } from './project.mjs';

const source = fromRoot('src');

/** Makes the gateway and its pages, unless they were made from the same files. */
export async function ensureBuilt() {
  await ensureGatewayBuilt();
  await ensurePagesBuilt();
}

/** Builds web/ into web/dist/. */
async function ensurePagesBuilt() {
  const web = fromRoot('web');
  const output = join(web, 'dist');
  const shared = ['contract', 'client'].flatMap((room) => listFiles(join(source, room)));
  const own = listFiles(web).filter((path) => !path.startsWith(`${output}/`));
  await ensureFresh({
    output,
    from: [...own, ...shared, fromRoot('package-lock.json')],
    make: (fresh) => {
      say('building the pages');
      const vite = fromRoot('node_modules/vite/bin/vite.js');
      const options = ['--config', join(web, 'vite.config.ts'), '--outDir', fresh, '--logLevel', 'warn'];
      // A test that starts a gateway has another NODE_ENV, with which the pages would be those of a developer.
      mustRun(process.execPath, [vite, 'build', ...options], { NODE_ENV: 'production' });
    },
  });
}

/** Compiles src/ into dist/. */
export async function ensureGatewayBuilt() {
  const files = listFiles(source);
  await ensureFresh({
    output: fromRoot('dist'),
    from: [...files, fromRoot('tsconfig.json'), fromRoot('tsconfig.build.json'), fromRoot('package-lock.json')],
    make: (fresh) => {
      say('compiling');
      mustRun(process.execPath, [
        fromRoot('node_modules/typescript/bin/tsc'),
        '-p',
        fromRoot('tsconfig.build.json'),
        '--outDir',
        fresh,
      ]);
      for (const file of files.filter((path) => path.endsWith('.lua')))
        cpSync(file, join(fresh, relative(source, file)));
    },
  });
}

if (isProgram(import.meta.url)) {
  ensureInstalled();
  ensureGenerated();
  await ensureBuilt();
}
