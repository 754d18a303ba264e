import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import supertest from 'supertest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../demo/cluster/freePort.ts';
import type { GatewayProcess } from '../../demo/cluster/gatewayProcess.ts';
import { root } from '../../demo/cluster/program.ts';
import { postgresOf, spawnGateway, type ProcessOptions } from '../support/gateway/gatewayProcess.ts';
import { Terminal } from '../support/gateway/terminal.ts';

const secrets = { JWT_SECRET: 's'.repeat(32), ENCRYPTION_KEY: 'ab'.repeat(32) };
const bootstrap = {
  BOOTSTRAP_COMPANY: 'Äpfel & Söhne',
  BOOTSTRAP_ADMIN_EMAIL: 'Chef@Aepfel.example',
  BOOTSTRAP_ADMIN_PASSWORD: 'a password that is long',
};

// Starting a process takes its time on a busy machine.
describe('the start of the gateway', () => {
  let folder: string;
  let dataDir: string;
  let started: GatewayProcess[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'readyline-start-'));
    // Started by root, PostgreSQL runs under another account, which must be able to pass.
    await chmod(folder, 0o711);
    dataDir = join(folder, 'data');
    started = [];
  });
  afterEach(async () => {
    await Promise.all(started.map((one) => one.kill('SIGTERM')));
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (options: ProcessOptions = {}) => {
    const gateway = await spawnGateway(dataDir, options);
    started.push(gateway);
    return gateway;
  };
  /** The line with which a start is refused. */
  const refusal = async (env: Record<string, string>) => {
    const { code, stdout, stderr } = await (await start({ env })).ended;
    expect([code, stdout]).toEqual([1, '']);
    return stderr;
  };

  it('is refused for a wrong setting in one line that names it and repeats no secret', async () => {
    const line = await refusal({ DATABASE_URL: 'mysql://u:hush@db/x' });
    expect(line).toMatch(/^Readyline cannot start: DATABASE_URL must .+\n$/);
    expect(line).not.toContain('hush');
  });

  it('is refused in one line when a database cannot be reached or used', { tags: 'full' }, async () => {
    const port = await freePort();
    const lines = await Promise.all([
      refusal({ ...secrets, LOG_LEVEL: 'silent', DATABASE_URL: `postgres://u:hush@127.0.0.1:${port}/x` }),
      refusal({ ...secrets, LOG_LEVEL: 'silent', REDIS_URL: `redis://:hush@127.0.0.1:${port}` }),
    ]);
    const [first, second] = lines;
    expect(first).toBe(`Readyline cannot start: DATABASE_URL cannot be used: connect ECONNREFUSED 127.0.0.1:${port}\n`);
    expect(second).toMatch(
      new RegExp(`^Readyline cannot start: Redis cannot be reached at 127\\.0\\.0\\.1:${port}: .+\\n$`),
    );
    expect(lines.join('')).not.toContain('hush');
    expect(postgresOf(dataDir)).toBeNull();
  });

  it('is refused in one line when the address is taken, and leaves no PostgreSQL behind', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    expect(await refusal({ PORT: String(port) })).toBe(
      'Readyline cannot start: another program already listens on this address; set PORT ' +
        `(listen EADDRINUSE: address already in use 127.0.0.1:${port})\n`,
    );
    other.close();
    expect(postgresOf(dataDir)).toBeNull();
  });

  it('is refused in one line for a data directory that cannot be one', { tags: 'full' }, async () => {
    await writeFile(dataDir, 'a file');
    expect(await refusal({})).toMatch(/^Readyline cannot start: DATA_DIR cannot be used: .+\n$/);
    await rm(dataDir);
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'jwt.secret'), 'ab'.repeat(32));
    await chmod(join(dataDir, 'jwt.secret'), 0o644);
    expect(await refusal({})).toMatch(/^Readyline cannot start: \S+jwt\.secret may be read by others: .+\n$/);
    expect(postgresOf(dataDir)).toBeNull();
  });

  it('creates the company of the bootstrap variables once, and then leaves it alone', { tags: 'full' }, async () => {
    const logIn = async (gateway: GatewayProcess, password: string) =>
      supertest(await gateway.url())
        .post('/api/auth/login')
        .send({ email: 'chef@aepfel.example', password });
    const first = await start({ env: bootstrap });
    const login = await logIn(first, bootstrap.BOOTSTRAP_ADMIN_PASSWORD);
    expect(login.body.agent).toMatchObject({
      role: 'admin',
      email: 'chef@aepfel.example',
      company_slug: 'apfel-sohne',
    });
    const { stdout } = await first.kill('SIGTERM');
    expect(stdout).not.toMatch(/password|demo/);

    const again = await start({
      env: { ...bootstrap, BOOTSTRAP_COMPANY: 'Other', BOOTSTRAP_ADMIN_PASSWORD: 'another password' },
    });
    expect((await logIn(again, bootstrap.BOOTSTRAP_ADMIN_PASSWORD)).status).toBe(200);
    expect((await logIn(again, 'another password')).status).toBe(401);
  });

  it("with npm start prints addresses that answer, and the demo company's log-ins once", async () => {
    const startWithScript = async () => {
      const gateway = await start({ program: 'scripts/start.mjs' });
      const url = await gateway.url();
      await gateway.says(/metrics {2}.+\n/);
      const [printed = ''] = gateway.stdout.split('A demo company');
      for (const address of printed.match(/http:\S+\/\S+/g) ?? []) expect((await fetch(address)).status).toBe(200);
      return { gateway, url };
    };
    const first = await startWithScript();
    await first.gateway.says(/npm run demo:story .+\n/);
    const logins = [...first.gateway.stdout.matchAll(/^ {2}\S.+? {2}(admin@demo\.example|a10\d) +(\S{16,})$/gm)];
    expect(logins).toHaveLength(4);
    for (const [, login = '', password = ''] of logins) {
      const who = login.includes('@') ? { email: login } : { agent_code: login };
      expect(
        (
          await supertest(first.url)
            .post('/api/auth/login')
            .send({ ...who, password })
        ).status,
      ).toBe(200);
    }
    await first.gateway.kill('SIGTERM');

    const second = await startWithScript();
    await second.gateway.says(
      /stop this gateway, move its data away, and start anew with a new demo company:\n {2}mv (\S+) \1\.old\n/,
    );
    const { stdout } = await second.gateway.kill('SIGTERM');
    expect(stdout).not.toMatch(/A demo company|ADMIN_PASSWORD/);
    for (const [, , password = ''] of logins) expect(stdout).not.toContain(password);
  });

  it('prints a page for the demo that its browser alone is told the passwords of, and a story that plays as it stands, and leaves keys and webhooks as they were', async () => {
    const gateway = await start();
    await gateway.says(/npm run demo:story .+\n/);
    const { stdout } = gateway;
    const link = new URL(/^ {2}(http:\S+\/demo#\S+)$/m.exec(stdout)?.[1] ?? '');
    const passwords = new URLSearchParams(link.hash.slice(1));
    for (const [login, name] of [
      ['admin@demo.example', 'admin'],
      ['a100', 'agent'],
    ] as const) {
      expect(stdout).toContain(`${login.padEnd(18)}  ${String(passwords.get(name))}\n`);
    }
    const platform = await supertest(link.origin).get('/api/public/platform').expect(200);
    expect(platform.body.demo).toBe(true);

    const key = await openDemo(link.origin, passwords.get('admin') ?? '');
    const terminal = new Terminal(folder);
    try {
      const story = /^ {2}(npm run demo:story .+)$/m.exec(stdout)?.[1] ?? '';
      const played = await terminal.run(`${story} --customers 10; echo "code $?"`);
      expect(played).toContain(`the webhook_url is ${link.origin}/demo/inbox again`);
      expect(played).toMatch(/code 0$/);
    } finally {
      await terminal.close();
    }
    await supertest(link.origin)
      .get('/api/integrations/lookup?phone=%2B15551230001')
      .set('X-Service-Api-Key', key)
      .expect(200);
  });

  it('prints no page where others may reach the gateway', { tags: 'full' }, async () => {
    const gateway = await start({ env: { PUBLIC_URL: 'https://cti.example.com' } });
    await gateway.says(/npm run demo:story .+\n/);
    expect(gateway.stdout).not.toContain('/demo#');
    expect((await supertest(await gateway.url()).post('/demo/start')).status).toBe(404);
  });

  it('leads to a job that the README tells step by step: typed into three terminals, after the demo page was opened, it plays', async () => {
    const gateway = await start();
    const [, line = ''] = await gateway.says(/^ {2}(URL=\S+ .+)\n/m);
    await openDemo(await gateway.url(), /ADMIN_PASSWORD=(\S+)/.exec(line)?.[1] ?? '');
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    const [settings = '', connect, listen, softphone, push, click, ...others] = commandsOf(readme);
    expect(others).toEqual([]);
    const names = (text: string) => text.match(/\b[A-Z_]+(?==)/g);
    expect(names(line)).toEqual(names(settings));
    const terminals = [1, 2, 3].map(() => new Terminal(folder));
    const [one, two, three] = terminals;
    try {
      for (const terminal of terminals) terminal.start(line);
      const connected = (await one?.run(connect ?? '')) ?? '';
      const [, keyAndSecret = ''] = /^ {2}(KEY=rlk_\S+ SECRET=whsec_\S+)$/m.exec(connected) ?? [];
      for (const terminal of terminals) terminal.start(keyAndSecret);
      // The usual port may be in use where the tests run.
      one?.start(`${listen} --port 0`);
      await one?.shows('Webhooks are welcome at');
      two?.start(`${softphone} --ring-after 0 --answer-after 0 --talk 0 --wrap-up 0`);
      await two?.shows('agent is ready');
      expect(JSON.parse((await three?.run(`${push} -s`)) ?? '')).toMatchObject({ phone_number: '+15551230001' });
      expect(JSON.parse((await three?.run(`${click} -s`)) ?? '')).toMatchObject({
        status: 'dialing',
        agent: { agent_code: 'a100' },
      });
      await two?.shows('Grace Hopper · gold');
      for (const event of ['cti_click_to_dial', 'call_started', 'call_answered', 'call_ended', 'disposition']) {
        await one?.shows(event);
        expect(one?.output).toMatch(new RegExp(`${event} .* verified `));
      }
    } finally {
      await Promise.all(terminals.map((terminal) => terminal.close()));
    }
  });
});

/** As the demo page does when its admin opens it. @returns the company's first key */
async function openDemo(url: string, password: string): Promise<string> {
  const { body } = await supertest(url)
    .post('/api/auth/login')
    .send({ email: 'admin@demo.example', password })
    .expect(200);
  const started = await supertest(url).post('/demo/start').set('authorization', `Bearer ${body.token}`).expect(200);
  return String(started.body.api_key);
}

/** The commands of the README's main job, each with its continuation. */
function commandsOf(readme: string): string[] {
  const job = readme.slice(readme.indexOf('## The main job in three terminals'));
  const block = /^```sh\n(.*?)^```$/ms.exec(job)?.[1] ?? '';
  return block
    .replace(/ \\\n\s+/g, ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}
