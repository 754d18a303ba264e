import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { type AgentId, type CompanyId, toId } from '../../src/domain/ids.ts';
import type { Services } from '../../src/usecases/services.ts';
import { type Gateway, startGateway } from '../support/gateway/gateway.ts';
import { createManualClock } from '../support/time/manualClock.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function open(...options: Parameters<typeof startGateway>): Promise<Gateway> {
  const gateway = await startGateway(...options);
  closing.push(() => gateway.close());
  return gateway;
}

/** A connection on which only what the test writes is sent. */
async function bareConnection(gateway: Gateway, text: string): Promise<Socket> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve));
  if (text !== '') await new Promise((resolve) => socket.write(text, resolve));
  closing.push(async () => socket.destroy());
  return socket;
}

const never = new Promise<never>(() => undefined);
describe('the settings', () => {
  it('show path and query of the webhook URL, which may be a secret, to admins alone', async () => {
    const gateway = await open();
    const webhookUrl = 'http://127.0.0.1:9/hooks/T0K3N?key=s3cret';
    const company = await gateway.company({ slug: 'settings', webhookUrl });
    const shownTo = async (token: string) =>
      (await gateway.api.get('/api/integrations').set('authorization', `Bearer ${token}`).expect(200)).body.integration
        .webhook_url;
    expect(await shownTo(company.adminToken)).toBe(webhookUrl);
    for (const role of ['supervisor', 'agent', 'dialer']) {
      const { token } = await gateway.agent(company, `the-${role}`, role);
      expect(await shownTo(token)).toBe('http://127.0.0.1:9/…');
    }
  });
});

describe('a softphone', () => {
  it('is cut off within half a minute when another gateway revoked its token', async () => {
    const clock = createManualClock(Date.now());
    let stores: Services | null = null;
    const gateway = await open('memory', { clock, wrap: (services) => (stores = services) });
    const company = await gateway.company({ slug: 'revoked', agents: 1 });
    const [agent] = company.agents;
    if (agent === undefined || stores === null) throw new Error('the company has one agent');
    const softphone = await gateway.readySoftphone(agent);
    // All that this gateway could notice of it.
    const { agents }: Services = stores;
    await agents.update(toId<CompanyId>(company.id), toId<AgentId>(agent.id), { active: false, revokeTokens: true });
    const refused = new Promise<unknown>((resolve) =>
      softphone.on('line', (state) => state === 'refused' && resolve(state)),
    );
    await clock.advance(30_000);
    await refused;
  });
});

describe('the shutdown', () => {
  it('does not wait for a connection that has never said anything', async () => {
    const gateway = await startGateway('memory', { clock: createManualClock(Date.now()) });
    await bareConnection(gateway, '');
    await gateway.api.get('/api/health/live').expect(200);
    await gateway.close();
  });

  it('waits eight seconds for a caller who stopped in the middle of a body, and no longer', async () => {
    const clock = createManualClock(Date.now());
    const gateway = await startGateway('memory', { clock });
    const head = 'POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9';
    await bareConnection(gateway, `${head}\r\n\r\n{`);
    await gateway.api.get('/api/health/live').expect(200);
    const closed = gateway.close();
    await clock.advance(8_000);
    await closed;
  });
});

describe('a database that hangs', () => {
  it('is told as down by the health check, which does not hang with it', async () => {
    const clock = createManualClock(Date.now());
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const gateway = await open('memory', {
      clock,
      wrap: (services) => ({
        ...services,
        companies: { ...services.companies, works: () => (asked(), never) },
      }),
    });
    const health = gateway.api.get('/api/health').then((answer) => answer);
    await isAsked;
    await clock.advance(2_000);
    const { status, body } = await health;
    expect([status, body.checks.database]).toEqual([503, 'down']);
  });
});

describe('the first start', () => {
  it('tells the demo passwords at the next start when the port was taken', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'readyline-first-'));
    closing.push(() => rm(dataDir, { recursive: true, force: true }));
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => holder.close(resolve)));
    const start = (port: number) =>
      createApp(readConfig({ DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'error' }));

    const first = await start((holder.address() as AddressInfo).port);
    await expect(first.listen()).rejects.toThrow('EADDRINUSE');
    await first.close();

    const second = await start(0);
    closing.push(() => second.close());
    const { url } = await second.listen();
    const [admin] = second.demo?.logins ?? [];
    const login = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: admin?.login, password: admin?.password }),
    });
    expect(login.status).toBe(200);
  });
});
