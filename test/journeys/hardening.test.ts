import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { type AgentId, type CompanyId, toId } from '../../src/domain/ids.ts';
import { loginLimits } from '../../src/usecases/auth/loginThrottle.ts';
import type { Services } from '../../src/usecases/services.ts';
import { type Gateway, startGateway } from '../support/gateway/gateway.ts';
import { gate } from '../support/time/gate.ts';
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
const guess = (gateway: Gateway, agent_code: string) =>
  gateway.api.post('/api/auth/login').send({ agent_code, password: 'a wrong guess' });

type Hasher = Services['passwords'];

/** As the real one, without the seconds that it would take. */
const quickHasher: Hasher = {
  hash: async (password) => `hash of ${password}`,
  verify: async (hash, password) => hash === `hash of ${password}`,
  verifyAgainstNobody: async () => false,
};

/** A gateway behind one proxy, so that callers have addresses. */
const openBehindProxy = (hasher: Partial<Hasher> = {}) =>
  open('memory', {
    config: { trustProxy: 1 },
    wrap: (services) => ({ ...services, passwords: { ...quickHasher, ...hasher } }),
  });

const logInFrom = (gateway: Gateway, address: string, login: object) =>
  gateway.api.post('/api/auth/login').set('X-Forwarded-For', address).send(login);

describe('guessing at an account', () => {
  it('from anywhere, for as long as one likes, does not lock out an agent who logged in from their own address', async () => {
    const gateway = await openBehindProxy();
    const company = await gateway.company({ slug: 'attacked', agents: 1 });
    const login = { agent_code: 'a100', company_slug: company.slug, password: 'password-of-a100' };
    expect((await logInFrom(gateway, '192.0.2.7', login)).status).toBe(200);
    const guessFrom = async (address: string) => (await logInFrom(gateway, address, { ...login, password: 'a guess' })).status;
    const guesses = await Promise.all(Array.from({ length: 80 }, (_, index) => guessFrom(`198.51.100.${index % 8}`)));
    expect(guesses.filter((status) => status === 401)).toHaveLength(loginLimits.perAccount);
    // From elsewhere the right one tells nothing either.
    expect((await logInFrom(gateway, '198.51.100.99', login)).status).toBe(429);
    await Promise.all(Array.from({ length: 12 }, () => guessFrom('192.0.2.7')));
    expect((await logInFrom(gateway, '192.0.2.7', login)).status).toBe(200);
  });

  it('counts its agent, by whatever name, and an agent who does not exist alike', async () => {
    const gateway = await openBehindProxy();
    const company = await gateway.company({ slug: 'spelled', agents: 1 });
    const [agent] = company.agents;
    await gateway.as(company).patch(`/api/agents/${agent?.id}`).send({ email: 'anna@spelled.example' }).expect(200);
    const names = (code: string, email: string) => [
      ...[{ agent_code: code }, { email }, { agent_code: code, email }].flatMap((name) => [name, { ...name, company_slug: company.slug }]),
    ];
    const guess = async (address: string, name: object) => (await logInFrom(gateway, address, { ...name, password: 'a guess' })).status;
    const ways = names('a100', 'anna@spelled.example');
    const guesses = await Promise.all(Array.from({ length: 60 }, (_, index) => guess('192.0.2.1', ways[index % ways.length] ?? {})));
    expect(guesses.filter((status) => status === 401)).toHaveLength(10);
    const answers = async (address: string, code: string) => {
      const statuses: number[] = [];
      for (let index = 0; index < 12; index++) {
        const company_slug = index % 2 === 0 ? company.slug : 'nowhere';
        statuses.push(await guess(address, index % 3 === 0 ? { agent_code: code } : { agent_code: code, company_slug }));
      }
      return statuses;
    };
    expect(await answers('192.0.2.2', 'a100')).toEqual(await answers('192.0.2.3', 'zzz'));
  });

  it('counts the addresses of one IPv6 network as one', async () => {
    const gateway = await openBehindProxy();
    const statuses: number[] = [];
    for (let index = 0; index < 12; index++) {
      statuses.push((await logInFrom(gateway, `2001:db8:0:1::${index + 1}`, { agent_code: 'a100', password: 'a guess' })).status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  });
});

describe('a flood of log-ins', () => {
  it('gets no more guesses from one address than the throttle allows, though all arrive together', async () => {
    const gateway = await openBehindProxy();
    const codes = Array.from({ length: 140 }, (_, index) => `guessed-${index}`);
    const statuses = await Promise.all(codes.map(async (code) => (await guess(gateway, code)).status));
    expect(statuses.filter((status) => status === 401)).toHaveLength(loginLimits.perAddress);
    expect(statuses.filter((status) => status === 429)).toHaveLength(codes.length - loginLimits.perAddress);
  });

  it('of one address leaves places for others, and the rest of the service alone', async () => {
    const hold = gate();
    const gateway = await openBehindProxy({ verifyAgainstNobody: () => hold.pass(async () => false as const) });
    const company = await gateway.company({ slug: 'flooded', agents: 1 });
    hold.shut();
    const codes = Array.from({ length: 400 }, (_, index) => `flood-${index}`);
    let turnedAway = 0;
    const answers: Promise<unknown>[] = [];
    await new Promise<void>((resolve) => {
      for (const code of codes) {
        const answer = guess(gateway, code).then(({ status, headers }) => {
          if (status === 429 && Number(headers['retry-after']) <= 5 && ++turnedAway === 250) resolve();
        });
        answers.push(answer);
      }
    });
    const login = { agent_code: 'a100', company_slug: company.slug, password: 'password-of-a100' };
    expect((await logInFrom(gateway, '192.0.2.8', login)).status).toBe(200);
    await gateway.api.get('/api/health').expect(200);
    hold.open();
    await Promise.all(answers);
  });

  it('is told at once that it has to wait, and takes no turn from those who may try', async () => {
    let hold = gate();
    const gateway = await openBehindProxy({ verifyAgainstNobody: () => hold.pass(async () => false as const) });
    for (let index = 0; index < 10; index++) await logInFrom(gateway, '192.0.2.9', { agent_code: 'guessed', password: 'a guess' });
    hold = gate();
    hold.shut();
    const waiting = logInFrom(gateway, '192.0.2.9', { agent_code: 'another', password: 'a guess' }).then(({ status }) => status);
    await hold.reached();
    expect((await logInFrom(gateway, '192.0.2.9', { agent_code: 'guessed', password: 'a guess' })).status).toBe(429);
    hold.open();
    expect(await waiting).toBe(401);
  });
});

describe('the settings', () => {
  it('show path and query of the webhook URL, which may be a secret, to admins alone', async () => {
    const gateway = await open();
    const webhookUrl = 'http://127.0.0.1:9/hooks/T0K3N?key=s3cret';
    const company = await gateway.company({ slug: 'settings', webhookUrl });
    const shownTo = async (token: string) =>
      (await gateway.api.get('/api/integrations').set('authorization', `Bearer ${token}`).expect(200)).body.integration.webhook_url;
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
    const refused = new Promise<unknown>((resolve) => softphone.on('line', (state) => state === 'refused' && resolve(state)));
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
        companies: { ...services.companies, any: () => (asked(), never) },
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
