// oxlint-disable-next-line no-restricted-imports -- its clients go away at different moments
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CrashingGateway } from '../support/gateway/crashingGateway.ts';
import { RawEngine } from '../support/gateway/rawEngine.ts';
import { RawLine } from '../support/gateway/rawLine.ts';
import { eventually } from '../support/time/waiting.ts';

let world: CrashingGateway;
beforeAll(async () => {
  world = await CrashingGateway.open({ LOG_LEVEL: 'warn' });
});
afterAll(() => world.close());

/** The process that was started serves, and has told of nothing that went wrong in it. */
async function expectUnharmed(): Promise<void> {
  await world.gateway.api.get('/api/health/live').expect(200);
  expect(world.process.hasEnded).toBe(false);
  expect(world.process.stdout + world.process.stderr).not.toMatch(/"level":50|Error/);
}

describe('a request that asks to upgrade and is reset', () => {
  const paths = [
    '/',
    '/x',
    '/api/health',
    '/api/auth/login',
    '/socket.io/',
    '/socket.io/?EIO=4&transport=websocket',
    '/socket.io/?EIO=4&transport=polling',
    '/socket.io/?EIO=4&transport=websocket&sid=unknown',
    '/demo/sip',
    '/demo/sip/x',
  ];
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT'];
  const key =
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: sip\r\n';
  const webSocket = `Connection: Upgrade\r\nUpgrade: websocket\r\n${key}`;
  const h2c = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n';

  it.each([0, 1, 10, 50, 150, 300])(
    'does not harm the gateway: on any path, by any method, for either protocol, after %i ms',
    async (ms) => {
      const { url } = world.gateway;
      const { host } = new URL(url);
      const asks = paths.flatMap((path) =>
        methods.flatMap((method) =>
          [webSocket, h2c].map((upgrade) => `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${upgrade}\r\n`),
        ),
      );
      await Promise.all(
        asks.map(async (ask) => {
          const line = await RawLine.open(url);
          line.write(ask);
          await delay(ms);
          line.reset();
        }),
      );
      await expectUnharmed();
    },
  );
});

describe('connections that flood the gateway, or never read', () => {
  const metric = async (name: string): Promise<number> => {
    const { text } = await world.gateway.api.get('/metrics').expect(200);
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.split(' ')[1]);
  };
  const memory = () => metric('process_resident_memory_bytes');
  const cuts = (reason: string) => metric(`readyline_connections_cut_total{reason="${reason}"}`);
  /** More than that a process takes and gives back by itself. */
  const unharmedBytes = 150 * 1024 * 1024;

  it('without a token hold up nobody, and hold no memory', async () => {
    const before = await memory();
    const engines = await Promise.all([1, 2, 3].map(() => RawEngine.open(world.gateway.url)));
    for (const engine of engines) {
      engine.stopReading();
      engine.flood('40', 100_000);
    }
    await expectUnharmed();
    expect((await memory()) - before).toBeLessThan(unharmedBytes);
    for (const engine of engines) {
      engine.socket.resume();
      await engine.closed;
      expect(engine.packets.filter((packet) => packet.startsWith('4')).length).toBeLessThanOrEqual(1);
    }
  });

  it('with a token hold no more than a few megabytes, and are cut off; others are served', async () => {
    const company = await world.gateway.company({ slug: 'slow-consumers', agents: 2 });
    const [deaf, other] = company.agents;
    if (deaf === undefined || other === undefined) throw new Error('the company has two agents');
    // What is answered to a short question is long.
    const words = Array.from({ length: 100 }, (_, index) => ({ code: `code_${index}`, label: 'x'.repeat(200) }));
    const settings = { dispositions: words, not_ready_reasons: words };
    await world.gateway.as(company).patch('/api/company').send(settings).expect(200);
    const served = await world.gateway.readySoftphone(other);
    const before = { cuts: await cuts('slow_consumer'), memory: await memory() };
    const engine = await RawEngine.signedIn(world.gateway.url, { token: deaf.token });
    engine.stopReading();
    let asked = 0;
    await eventually(async () => {
      for (let count = 0; count < 10; count += 1) engine.send(`42${(asked += 1)}["read_settings",{}]`);
      return (await cuts('slow_consumer')) > before.cuts;
    });
    expect((await memory()) - before.memory).toBeLessThan(unharmedBytes);
    expect(served.line).toBe('connected');
    const clicked = await world.gateway.click(company, { phone_number: '+15551230001', agent_code: other.agentCode });
    expect(clicked.status).toBe(201);
    expect(world.process.stdout).toMatch(/"reason":"slow_consumer".*a connection was cut off/);
    engine.socket.terminate();
  });
});
