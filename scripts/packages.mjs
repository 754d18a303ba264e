import './nodeVersion.mjs';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { ensureGatewayBuilt } from './build.mjs';
import { ensureFresh, listFiles } from './freshBuild.mjs';
import { ensureGenerated } from './generate.mjs';
import { ensureInstalled } from './install.mjs';
import { writeTypes } from './packageTypes.mjs';
import { fromRoot, isProgram, say } from './project.mjs';

/**
 * What integrators install: packages/client and packages/webhooks. `entries` are modules of src/ by the name that they
 * have in the package; `external` is what the package depends on, as its package.json says.
 */
const packages = [
  {
    name: 'client',
    entries: { softphone: 'client/softphone', watcher: 'client/watcher', embed: 'client/embed' },
    external: ['socket.io-client', '@socket.io/component-emitter'],
  },
  { name: 'webhooks', entries: { verify: 'webhooks/verify' }, external: ['node:crypto'] },
];

/** Makes the packages for integrators, unless they were made from the same files. */
async function ensurePackagesBuilt() {
  await ensureGatewayBuilt();
  const sources = ['contract', 'client', 'webhooks'].flatMap((room) => listFiles(fromRoot(`src/${room}`)));
  const makers = ['packages.mjs', 'packageTypes.mjs', 'freshBuild.mjs'].map((script) => fromRoot(`scripts/${script}`));
  const common = [
    ...sources,
    ...makers,
    fromRoot('tsconfig.json'),
    fromRoot('package-lock.json'),
    fromRoot('packages/client/browser.ts'),
  ];
  for (const { name, entries, external } of packages) {
    const folder = fromRoot(`packages/${name}`);
    await ensureFresh({
      output: join(folder, 'dist'),
      from: common,
      make: async (fresh) => {
        say(`building @readyline/${name}`);
        const modules = Object.entries(entries).map(([entry, module]) => [entry, fromRoot(`src/${module}.ts`)]);
        await bundle({ entry: Object.fromEntries(modules), outDir: fresh, external });
        writeTypes(Object.values(entries), join(fresh, 'types'));
        if (name === 'client') await addBrowserBundle(folder, fresh);
      },
    });
    // npm packs the licence that lies in the package's own folder.
    cpSync(fromRoot('LICENSE'), join(folder, 'LICENSE'));
  }
}

/**
 * One module with all that the client needs, for pages without a bundler.
 * @param {string} folder of the package
 * @param {string} fresh
 */
async function addBrowserBundle(folder, fresh) {
  await bundle({ entry: { browser: join(folder, 'browser.ts') }, outDir: fresh, external: [], minify: true });
  const types = readFileSync(join(folder, 'browser.ts'), 'utf8').replace(
    /'\.\.\/\.\.\/src\/client\/(\w+)\.ts'/g,
    "'./$1.js'",
  );
  writeFileSync(join(fresh, 'types/browser.d.ts'), types);
}

/**
 * @param {{ entry: Record<string, string>, outDir: string, external: string[], minify?: boolean }} options
 */
async function bundle({ entry, outDir, external, minify = false }) {
  await build({
    root: fromRoot('.'),
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2022',
      minify,
      lib: { entry, formats: ['es'] },
      rolldownOptions: { external, output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', minify } },
    },
  });
}

if (isProgram(import.meta.url)) {
  ensureInstalled();
  ensureGenerated();
  await ensurePackagesBuilt();
}
