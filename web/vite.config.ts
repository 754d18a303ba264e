import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));

/** The gateway serves what is compressed already; none of its time is spent on it. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    // Not closeBundle, which comes after a build that failed as well, and would hide why.
    writeBundle({ dir = '' }) {
      const assets = join(dir, 'assets');
      for (const name of readdirSync(assets).filter((file) => /\.(?:js|css|svg)$/.test(file))) {
        const bytes = readFileSync(join(assets, name));
        writeFileSync(join(assets, `${name}.gz`), gzipSync(bytes, { level: 9 }));
        writeFileSync(join(assets, `${name}.br`), brotliCompressSync(bytes));
      }
    },
  };
}

const pagesByModule = new Map<string, string | null>();

type ModuleInfo = { importers: readonly string[]; dynamicImporters: readonly string[] };

/**
 * Names the pages that have a module, if the softphone's first load does: `admin-index`. Those too that load
 * it later: in a file of the softphone's alone it would come with what begins the softphone, and a page that
 * loads it would become one.
 */
function pagesThatBeginWith(id: string, getModuleInfo: (id: string) => ModuleInfo | null): string | null {
  const known = pagesByModule.get(id);
  if (known !== undefined) return known;
  const pagesBy = (importersOf: (info: ModuleInfo) => readonly string[]) => {
    const reached = new Set([id]);
    for (const each of reached) {
      const info = getModuleInfo(each);
      for (const importer of info === null ? [] : importersOf(info)) reached.add(importer);
    }
    return [...reached].filter((each) => each.endsWith('.html')).map((each) => basename(each, '.html'));
  };
  const first = pagesBy(({ importers }) => importers);
  const all = pagesBy(({ importers, dynamicImporters }) => [...importers, ...dynamicImporters]);
  const name = first.includes('index') ? all.toSorted().join('-') : null;
  pagesByModule.set(id, name);
  return name;
}

/**
 * What the softphone begins with and parts that are loaded later use,
 * too: in one file it compresses better than in thirty.
 */
const firstMantine =
  /\/@mantine\/(?:core\/esm\/(?:core\/|utils\/Floating\/|components\/(?:Accordion\/AccordionChevron|ActionIcon|Alert|Anchor|Badge|Button|Checkbox\/CheckIcon|CloseButton|FocusTrap|Floating|Group|Input|Loader|Menu|Overlay|Paper|Popover|Portal|Radio\/RadioIcon|Stack|Text|Title|Transition|UnstyledButton|VisuallyHidden)(?:\/|\.mjs$))|hooks\/esm\/(?:utils\/random-id|use-(?:click-outside|color-scheme|did-update|focus-return|focus-trap|id|isomorphic-effect|long-press|media-query|merged-ref|mutation-observer|reduced-motion|uncontrolled))\/)/;
const firstIcons =
  /\/@tabler\/icons-react\/dist\/esm\/(?:createReactComponent|defaultAttributes|icons\/Icon(?:AlertTriangle|ArrowUpRight|BellRinging|Check|ChevronDown|CircleCheck|CircleMinus|Clock|Dialpad|ExternalLink|InfoCircle|Key|Language|Logout|Microphone|MicrophoneOff|Moon|Pencil|Phone|PhoneCall|PhoneOff|PhoneOutgoing|PhoneX|PlayerPause|PlayerPlay|PlugConnectedX|Power|StarFilled|Sun))\.mjs$/;

export default defineConfig({
  root,
  plugins: [react(), compressed()],
  // The gateway puts a fresh nonce in place of this, for every page that it sends.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: join(root, 'dist'),
    emptyOutDir: true,
    target: 'es2022',
    // An inlined file would be a data: URL, which the pages may not load.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      input: {
        index: join(root, 'index.html'),
        admin: join(root, 'admin.html'),
        demo: join(root, 'demo.html'),
        pop: join(root, 'pop.html'),
      },
      output: {
        // Files of their own: they stay in the browser's cache while the pages change. `Trans`,
        // which takes texts with tags apart, comes with the pages that have such texts; the softphone has none.
        codeSplitting: {
          groups: [
            {
              name: 'i18n',
              test: /node_modules\/(?:i18next|react-i18next\/dist\/es\/(?!Trans|IcuTrans)|i18next-icu|intl-messageformat|@formatjs)/,
            },
            { debugName: 'texts', name: (id) => `texts-${basename(id, '.json')}`, test: /\/locales\/en\// },
            { name: 'first-mantine', test: firstMantine, includeDependenciesRecursively: false },
            { name: 'first-icons', test: firstIcons, includeDependenciesRecursively: false },
            // What pages begin with is split by the pages alone. Split by the parts that are loaded later as well,
            // it would be many small files, which compress worse, and grow in number with every such part.
            {
              debugName: 'pages',
              name: (id, context) => pagesThatBeginWith(id, (each) => context.getModuleInfo(each)),
              test: (id) => !id.includes('node_modules'),
              tags: ['$initial'],
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
});
