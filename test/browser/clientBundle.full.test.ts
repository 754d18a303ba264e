import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root, startProgram } from '../../demo/cluster/program.ts';
import { useBrowser } from '../support/browser/browser.ts';
import { startGateway, type Gateway } from '../support/gateway/gateway.ts';

/** The page of the guide, and the file that it imports, on a web server of the integrator's own. */
function serve(html: () => string): Promise<Server> {
  const bundle = readFileSync(join(root, 'packages/client/dist/browser.js'), 'utf8');
  const server = createServer(({ url }, response) => {
    if (url === '/browser.js') response.setHeader('content-type', 'text/javascript').end(bundle);
    else if (url === '/')
      response.setHeader('content-type', 'text/html').end(`<!doctype html><title>CRM</title><body>${html()}`);
    else response.writeHead(204).end();
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const originOf = (server: Server) => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;

describe('the client in one file, on a page of another origin', () => {
  let gateway: Gateway;
  let allowed: Server;
  let other: Server;
  beforeAll(async () => {
    const { code, stdout, stderr } = await startProgram(process.execPath, ['scripts/packages.mjs']).ended;
    if (code !== 0) throw new Error(`the packages were not built:\n${stdout}\n${stderr}`);
    const guide = readFileSync(join(root, 'docs/integrating/softphone.md'), 'utf8');
    const [, example = ''] = /```html\n([^]*?)```/.exec(guide) ?? [];
    // The gateway is told the page's origin, and the page the gateway's.
    let html = '';
    allowed = await serve(() => html);
    other = await serve(() => html);
    gateway = await startGateway('memory', { config: { corsOrigins: [originOf(allowed)] } });
    html = example.replace('https://gateway.example.com', gateway.url);
    if (!html.includes(gateway.url)) throw new Error('the guide’s page names a gateway');
  });
  afterAll(async () => {
    for (const server of [allowed, other]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    await gateway.close();
  });
  const browser = useBrowser();

  it('signs an agent in and gets the snapshot, where CORS_ORIGINS names the page', async () => {
    const { agents } = await gateway.company({ slug: 'bundled', agents: 1 });
    const page = await browser.open('about:blank');
    page.on('dialog', (dialog) => void dialog.accept(agents[0]!.password));
    await page.goto(originOf(allowed));
    await page.getByText('Agent a100 is not_ready').waitFor();
  });

  it('is kept out where it does not', async () => {
    const page = await browser.open('about:blank');
    browser.expectTrouble(/blocked by CORS policy/);
    browser.expectTrouble(/Failed to (?:fetch|load resource)/);
    page.on('dialog', (dialog) => void dialog.accept('any password'));
    const failed = page.waitForEvent('pageerror');
    await page.goto(originOf(other));
    expect((await failed).message).toContain('Failed to fetch');
  });
});
