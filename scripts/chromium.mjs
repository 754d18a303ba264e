import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The lightest first: without the windows that nobody would see, a third less of the processor than the whole of it.
 */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
];
const applications = ['Chromium', 'Google Chrome', 'Microsoft Edge'];

/** The path of Chromium, Chrome or Edge: the one of CHROMIUM_PATH, else where they usually are; null: there is none. */
export function findChromium() {
  const { CHROMIUM_PATH: given, PATH = '' } = process.env;
  const onPath = names.flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)));
  const usual = [
    ...onPath,
    ...names.map((name) => `/usr/bin/${name}`),
    ...applications.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`),
  ];
  return (given ? [given] : usual).find(canBeRun) ?? null;
}

/** @param {string} path */
function canBeRun(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
