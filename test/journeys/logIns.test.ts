import { afterEach, describe, expect, it } from 'vitest';
import { refuse } from '../../src/domain/outcome.ts';
import { loginPlaces } from '../../src/usecases/auth/loginQueue.ts';
import { loginLimits } from '../../src/usecases/auth/loginThrottle.ts';
import type { FairDoor } from '../../src/usecases/concurrency/fairDoor.ts';
import type { Services } from '../../src/usecases/services.ts';
import { type Gateway, startGateway } from '../support/gateway/gateway.ts';
import { gate } from '../support/time/gate.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

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
async function openBehindProxy(
  hasher: Partial<Hasher> = {},
  config: { publicUrl?: string } = {},
  door?: FairDoor,
): Promise<Gateway> {
  const gateway = await startGateway('memory', {
    config: { trustProxy: 1, ...config },
    wrap: (services) => ({ ...services, passwords: { ...quickHasher, ...hasher }, door: door ?? services.door }),
  });
  closing.push(() => gateway.close());
  return gateway;
}

/** `device`: the cookie of an earlier log-in; without one the device is unknown. */
const logInFrom = (gateway: Gateway, address: string, login: object, device = '') =>
  gateway.api.post('/api/auth/login').set('X-Forwarded-For', address).set('Cookie', device).send(login);

describe('guessing at an account', () => {
  it('from anywhere, for as long as one likes, does not lock out an agent who logged in from their own address', async () => {
    const gateway = await openBehindProxy();
    const company = await gateway.company({ slug: 'attacked', agents: 1 });
    const login = { agent_code: 'a100', company_slug: company.slug, password: 'password-of-a100' };
    expect((await logInFrom(gateway, '192.0.2.7', login)).status).toBe(200);
    const guessFrom = async (address: string) =>
      (await logInFrom(gateway, address, { ...login, password: 'a guess' })).status;
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
      ...[{ agent_code: code }, { email }, { agent_code: code, email }].flatMap((name) => [
        name,
        { ...name, company_slug: company.slug },
      ]),
    ];
    const guess = async (address: string, name: object) =>
      (await logInFrom(gateway, address, { ...name, password: 'a guess' })).status;
    const ways = names('a100', 'anna@spelled.example');
    const guesses = await Promise.all(
      Array.from({ length: 60 }, (_, index) => guess('192.0.2.1', ways[index % ways.length] ?? {})),
    );
    expect(guesses.filter((status) => status === 401)).toHaveLength(10);
    const answers = async (address: string, code: string) => {
      const statuses: number[] = [];
      for (let index = 0; index < 12; index++) {
        const company_slug = index % 2 === 0 ? company.slug : 'nowhere';
        statuses.push(
          await guess(address, index % 3 === 0 ? { agent_code: code } : { agent_code: code, company_slug }),
        );
      }
      return statuses;
    };
    expect(await answers('192.0.2.2', 'a100')).toEqual(await answers('192.0.2.3', 'zzz'));
  });

  it('counts the addresses of one IPv6 network as one', async () => {
    const gateway = await openBehindProxy();
    const statuses: number[] = [];
    for (let index = 0; index < 12; index++) {
      statuses.push(
        (await logInFrom(gateway, `2001:db8:0:1::${index + 1}`, { agent_code: 'a100', password: 'a guess' })).status,
      );
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
    for (let index = 0; index < 10; index++)
      await logInFrom(gateway, '192.0.2.9', { agent_code: 'guessed', password: 'a guess' });
    hold = gate();
    hold.shut();
    const waiting = logInFrom(gateway, '192.0.2.9', { agent_code: 'another', password: 'a guess' }).then(
      ({ status }) => status,
    );
    await hold.reached();
    expect((await logInFrom(gateway, '192.0.2.9', { agent_code: 'guessed', password: 'a guess' })).status).toBe(429);
    hold.open();
    expect(await waiting).toBe(401);
  });
});

describe('a known device', () => {
  const loginOf = (company: { slug: string }) => ({
    agent_code: 'a100',
    company_slug: company.slug,
    password: 'password-of-a100',
  });

  /** Logs in, and answers what the browser keeps of it. */
  async function deviceOf(
    gateway: Gateway,
    login: object,
    address = '203.0.113.1',
  ): Promise<{ cookie: string; set: string }> {
    const { headers } = await logInFrom(gateway, address, login).expect(200);
    const set = String(headers['set-cookie']);
    return { cookie: set.slice(0, set.indexOf(';')), set };
  }

  it('is let in while strangers from hundreds of addresses hold every place, each company by its own', async () => {
    const hold = gate();
    const gateway = await openBehindProxy({ verifyAgainstNobody: () => hold.pass(async () => false as const) });
    const [company, other] = await Promise.all([
      gateway.company({ slug: 'known', agents: 1 }),
      gateway.company({ slug: 'other', agents: 1 }),
    ]);
    const [device, others] = await Promise.all([
      deviceOf(gateway, loginOf(company)),
      deviceOf(gateway, loginOf(other)),
    ]);
    hold.shut();
    const addresses = Array.from(
      { length: loginPlaces.anybody + 1 },
      (_, index) => `198.51.${index >> 8}.${index & 255}`,
    );
    const answers: Promise<unknown>[] = [];
    await new Promise<void>((resolve) => {
      const flood = async (address: string) => {
        const { status } = await logInFrom(gateway, address, {
          agent_code: `guessed at ${address}`,
          password: 'a guess',
        });
        if (status === 429) resolve();
      };
      for (const address of addresses) answers.push(flood(address));
    });
    const fromHome = async (login: object, cookie?: string) =>
      (await logInFrom(gateway, '203.0.113.1', login, cookie)).status;
    expect(await fromHome(loginOf(company))).toBe(429);
    expect(await fromHome(loginOf(company), device.cookie)).toBe(200);
    expect(await fromHome(loginOf(other), others.cookie)).toBe(200);
    // It is known for whom it was, and for nobody else.
    expect(await fromHome(loginOf(other), device.cookie)).toBe(429);
    expect(await fromHome({ ...loginOf(company), agent_code: 'guessed' }, device.cookie)).toBe(429);
    hold.open();
    await Promise.all(answers);
  });

  it('stands in line with everybody where a shift begins with more of them than have a way of their own', async () => {
    const hold = gate();
    const gateway = await openBehindProxy({
      verify: (hash, password) => hold.pass(async () => hash === `hash of ${password}`),
    });
    const company = await gateway.company({ slug: 'shift', agents: 1 });
    const devices = [];
    for (let count = 0; count < loginPlaces.known; count += 1)
      devices.push(await deviceOf(gateway, loginOf(company), `203.0.113.${count}`));
    hold.shut();
    const answers = devices.map(({ cookie }, at) =>
      logInFrom(gateway, `203.0.113.${at}`, loginOf(company), cookie).then(({ status }) => status),
    );
    await hold.reached();
    hold.open();
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
  });

  it('counts as the log-ins of its company at the door, not as the address that a flood comes from, nor as the company’s clicks', async () => {
    const heldBack = new Set<string>();
    const door: FairDoor = {
      enter: async (who, work) =>
        heldBack.has(who) ? refuse('rate_limited', 'Too many of yours.', { retryAfterSeconds: 1 }) : work(),
    };
    const gateway = await openBehindProxy({}, {}, door);
    const company = await gateway.company({ slug: 'office', agents: 1 });
    const { cookie } = await deviceOf(gateway, loginOf(company));
    heldBack.add('203.0.113.1');
    expect((await logInFrom(gateway, '203.0.113.1', loginOf(company))).status).toBe(429);
    expect((await logInFrom(gateway, '203.0.113.1', loginOf(company), cookie)).status).toBe(200);
    heldBack.add(company.id);
    expect((await logInFrom(gateway, '203.0.113.1', loginOf(company), cookie)).status).toBe(200);
    heldBack.add(`log-ins of ${company.id}`);
    expect((await logInFrom(gateway, '203.0.113.1', loginOf(company), cookie)).status).toBe(429);
  });

  it('is not locked out by what others try from the same address, nor by what they try from theirs', async () => {
    const gateway = await openBehindProxy();
    const company = await gateway.company({ slug: 'shared', agents: 1 });
    const login = loginOf(company);
    const { cookie } = await deviceOf(gateway, login);
    const guesses = async (device?: string) => {
      const statuses: number[] = [];
      for (let count = 0; count < 60; count += 1)
        statuses.push((await logInFrom(gateway, '203.0.113.1', { ...login, password: 'a guess' }, device)).status);
      return statuses.filter((status) => status === 401).length;
    };
    expect(await guesses()).toBe(loginLimits.perKnownAddress);
    expect((await logInFrom(gateway, '203.0.113.1', login)).status).toBe(429);
    expect((await logInFrom(gateway, '203.0.113.1', login, cookie)).status).toBe(200);
    expect(await guesses(cookie)).toBe(loginLimits.perKnownAddress);
  });

  it('gets no guess more at accounts that do not know it, however many devices somebody has', async () => {
    const gateway = await openBehindProxy();
    const [company, victim] = await Promise.all([
      gateway.company({ slug: 'hostile', agents: 1 }),
      gateway.company({ slug: 'victim', agents: 1 }),
    ]);
    let tried = 0;
    for (let count = 0; count < 5; count += 1) {
      const { cookie } = await deviceOf(gateway, loginOf(company));
      for (let guesses = 0; guesses < 5; guesses += 1) {
        if (
          (await logInFrom(gateway, '203.0.113.1', { ...loginOf(victim), password: 'a guess' }, cookie)).status === 401
        )
          tried += 1;
      }
    }
    expect(tried).toBe(loginLimits.perAccountAndAddress);
  });

  it.each([
    ['is not the gateway’s', 'readyline_device=forged'],
    ['is not even text', 'readyline_device=%E0%A4%A'],
    ['is another cookie’s', 'readyline_crm_login=x; readyline_device='],
  ])('whose cookie %s is a stranger', async (_, cookie) => {
    const gateway = await openBehindProxy();
    const company = await gateway.company({ slug: 'forged', agents: 1 });
    expect((await logInFrom(gateway, '203.0.113.1', loginOf(company), cookie)).status).toBe(200);
  });

  it('keeps a cookie that no script reads, sent with log-ins alone, and names nobody', async () => {
    const plain = await openBehindProxy();
    const { set } = await deviceOf(plain, loginOf(await plain.company({ slug: 'cookie', agents: 1 })));
    expect(set).toMatch(/^readyline_device=[^;]+; Path=\/api\/auth\/login; Max-Age=1209600; HttpOnly; SameSite=Lax$/);
    expect(Buffer.from(set, 'base64url').toString('latin1')).not.toContain('a100');
    const secure = await openBehindProxy({}, { publicUrl: 'https://readyline.example.com' });
    const inFrames = await deviceOf(secure, loginOf(await secure.company({ slug: 'frames', agents: 1 })));
    expect(inFrames.set).toMatch(/; HttpOnly; SameSite=None; Partitioned; Secure$/);
    await logInFrom(plain, '203.0.113.1', { agent_code: 'a100', password: 'a guess' }).expect((answer) =>
      expect(answer.headers['set-cookie']).toBeUndefined(),
    );
  });
});
