import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../demo/cluster/program.ts';
import { platformToken, startGateway, type Gateway } from '../support/gateway/gateway.ts';
import { Terminal } from '../support/gateway/terminal.ts';

type Json = Record<string, unknown>;

describe('the quick start', () => {
  let gateway: Gateway;
  let home: string;
  let terminal: Terminal;
  let guide: string;
  const password = 'a-password-of-the-tests';
  beforeAll(async () => {
    gateway = await startGateway('memory');
    home = await mkdtemp(join(tmpdir(), 'readyline-quick-start-'));
    terminal = new Terminal(home);
    guide = await readFile(join(root, 'docs/integrating/quick-start.md'), 'utf8');
  });
  afterAll(async () => {
    await terminal.close();
    await gateway.close();
    await rm(home, { recursive: true, force: true });
  });

  it('leads from nothing to a dialed call, with the answers that it shows', async () => {
    const admin = { email: 'admin@demo.example', password };
    const company = { name: 'Quick', slug: 'quick', admin };
    await gateway.api.post('/api/companies').set('authorization', `Bearer ${platformToken}`).send(company).expect(201);
    const commands = [...guide.matchAll(/^curl [^]*?(?=\n(?:#|```|\n))/gm)].map(([command]) => command);
    const answers = [...guide.matchAll(/```json\n([^]*?)```/g)].map(([, text = '']) => JSON.parse(text) as Json);
    const [logIn = '', connect = '', push = '', click = '', ...others] = commands;
    expect(others).toEqual([]);
    const run = async (command: string) => JSON.parse(await terminal.run(command.replace(/^curl/, 'curl -s'))) as Json;

    terminal.start(`URL=${gateway.url}`);
    const { token, ...loggedIn } = await run(logIn.replace('"…"', `"${password}"`));
    expect(Object.keys(loggedIn)).toEqual(['expires_at', 'agent']);
    terminal.start(`TOKEN=${String(token)}`);
    const connected = await run(connect);
    expect(Object.keys(connected).toSorted()).toEqual(Object.keys(answers[0] ?? {}).toSorted());
    terminal.start(`KEY=${String(connected['api_key'])}`);
    expect(guide).toContain(`# ${JSON.stringify(await run(push))}\n`);

    const opened = { id: '', slug: 'quick', adminToken: String(token), key: String(connected['api_key']), agents: [] };
    await gateway.readySoftphone(await gateway.agent(opened, 'a100'));
    const dialed = await run(click.replace('7c1f…', '7c1f'));
    expect(Object.keys(dialed).toSorted()).toEqual(Object.keys(answers[1] ?? {}).toSorted());
    expect(dialed).toMatchObject({
      status: 'dialing',
      phone_number: '+15551230001',
      screen_pop: { name: 'Grace Hopper' },
    });
  });
});
