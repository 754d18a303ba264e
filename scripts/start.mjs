import './nodeVersion.mjs';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { ensureGenerated } from './generate.mjs';
import { ensureInstalled } from './install.mjs';
import { fromRoot } from './project.mjs';

ensureInstalled();
ensureGenerated();
await ensureBuilt();
// In this very process: signals and the exit code need no forwarding, and no second Node has to start.
await import(pathToFileURL(fromRoot('dist/main.js')).href);
