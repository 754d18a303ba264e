/** All of the client in one module, for pages without a bundler: dist/browser.js. */
export * from '../../src/client/softphone.ts';
export * from '../../src/client/watcher.ts';
export * from '../../src/client/embed.ts';
