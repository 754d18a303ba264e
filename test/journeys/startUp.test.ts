import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root, spawnGateway } from '../support/gatewayProcess.ts';
import { freePort } from '../support/ports.ts';
import { Program } from '../support/program.ts';

describe('the start of the gateway', () => {
  let dataDir: string;
  const running: Program[] = [];

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'readyline-start-'));
    // Started by root, PostgreSQL runs under another account, which must be able to pass.
    await chmod(dataDir, 0o711);
  });
  afterEach(async () => {
    for (const program of running.splice(0).toReversed()) await program.kill('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  });

  const start = async (env: Record<string, string> = {}) => {
    const gateway = await spawnGateway(dataDir, { env });
    running.push(gateway);
    return gateway;
  };
  const run = (command: string, args: readonly string[]) => {
    const child = spawn(command, args, { cwd: root, stdio: ['pipe', 'pipe', 'pipe'] });
    const program = new Program(child);
    running.push(program);
    return program;
  };

  it.each([
    ['PORT', 'eighty'],
    ['HOST', 'not a host'],
    ['DATABASE_URL', 'mysql://127.0.0.1/x'],
    ['REDIS_URL', 'http://127.0.0.1'],
    ['PUBLIC_URL', 'gateway.example'],
    ['CORS_ORIGINS', 'wiki.local'],
    ['TRUST_PROXY', 'true'],
    ['JWT_SECRET', 'short'],
    ['ENCRYPTION_KEY', 'short'],
    ['PLATFORM_TOKEN', 'short'],
    ['BOOTSTRAP_COMPANY', 'Acme'],
    ['BOOTSTRAP_ADMIN_EMAIL', 'nobody'],
    ['WEBHOOK_ALLOW_PRIVATE_NETWORKS', 'yes'],
    ['LOG_LEVEL', 'loud'],
  ])('is stopped by a wrong %s with one line that names it and does not repeat its value', async (name, value) => {
    const { code, stderr } = await (await start({ [name]: value })).ended;
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(name.startsWith('BOOTSTRAP') ? /BOOTSTRAP_/ : new RegExp(`\\b${name}\\b`));
    expect(stderr).not.toContain(value);
  });

  it('creates the company of the bootstrap variables once, and prints no password', async () => {
    const env = {
      BOOTSTRAP_COMPANY: 'Äpfel & Söhne',
      BOOTSTRAP_ADMIN_EMAIL: 'Chef@aepfel.example',
      BOOTSTRAP_ADMIN_PASSWORD: 'sehr-geheim',
    };
    for (const again of [false, true]) {
      const gateway = await start(env);
      const url = await gateway.url();
      const login = await fetch(`${url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'chef@aepfel.example', password: 'sehr-geheim' }),
      });
      expect({ again, status: login.status }).toEqual({ again, status: 200 });
      expect(await login.json()).toMatchObject({ agent: { role: 'admin', company_slug: 'apfel-sohne' } });
      const { stdout } = await gateway.kill('SIGTERM');
      expect(stdout).not.toContain('sehr-geheim');
      expect(stdout).not.toContain('demo');
    }
  });

  it('prints the demo log-ins once', async () => {
    const first = await start();
    await first.says(/A demo company "demo" was created/);
    await first.kill('SIGTERM');
    const second = await start();
    await second.url();
    expect((await second.kill('SIGTERM')).stdout).not.toContain('demo');
  });

  it('prints the main job as lines that work when they are pasted', async () => {
    const gateway = await start({ LOG_LEVEL: 'warn' });
    const [, printed = ''] = await gateway.says(/Or step by step([^]+)Terminal 1 has now received/);
    const webhookPort = await freePort();
    const steps = printed
      .split('\n')
      .filter((line) => line.startsWith('  '))
      .map((line) => line.trim().replace('127.0.0.1:4000', `127.0.0.1:${webhookPort}`));
    const listen = steps.find((line) => line.startsWith('npm run webhook:listen')) ?? expect.fail('no receiver');
    const answer = steps.find((line) => line.startsWith('npm run demo:softphone')) ?? expect.fail('no softphone');
    const pasted = steps.filter((line) => line !== listen && line !== answer);
    const click = pasted.splice(pasted.findIndex((line) => line.includes('click-to-dial')));

    const receiver = run('bash', ['-c', `exec ${listen} -- --port ${webhookPort}`]);
    await receiver.says(/listening|http:\/\/127\.0\.0\.1/i);
    const softphone = run('bash', ['-c', `exec ${answer} --ring-after 50 --answer-after 50 --talk 50 --wrap-up 50`]);
    await softphone.says(/(?<!not_)\bready\b(?!line)/i);
    const { stdout } = await run('bash', ['-c', [...pasted, ...click].join('\n')]).ended;
    expect(stdout).toMatch(/"api_key":"rlk_\w+","webhook_secret":"whsec_/);
    expect(stdout).toContain('"status":"dialing"');
    await softphone.says(/Grace Hopper/);
    for (const event of ['cti_click_to_dial', 'call_started', 'call_answered', 'disposition']) {
      await receiver.says(new RegExp(event));
    }
  }, 60_000);
});
