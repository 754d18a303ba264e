import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GatewayProcess } from '../../demo/cluster/gatewayProcess.ts';
import { platformToken } from '../support/gateway/gateway.ts';
import { spawnGateway } from '../support/gateway/gatewayProcess.ts';

const mebibyte = 1024 * 1024;
/**
 * What a gateway may take at its most, several times what it has at rest, and a small part of what the attacks hold.
 */
const ceiling = 600 * mebibyte;

describe('the memory of a gateway', () => {
  let dataDir: string;
  let gateway: GatewayProcess;
  let url: string;
  let key: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'readyline-weight-'));
    gateway = await spawnGateway(dataDir);
    url = await gateway.url();
    const admin = { email: 'admin@weight.example', password: 'a-password-of-the-tests' };
    await post(
      '/api/companies',
      { name: 'Weight', slug: 'weight', admin },
      { authorization: `Bearer ${platformToken}` },
    );
    const { token } = await post('/api/auth/login', admin);
    ({ api_key: key } = (await post('/api/integrations/connect', {}, { authorization: `Bearer ${String(token)}` })) as {
      api_key: string;
    });
  });
  afterAll(async () => {
    await gateway.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function post(
    path: string,
    body: object,
    headers: Record<string, string> = {},
  ): Promise<Record<string, unknown>> {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as Record<string, unknown>;
  }

  /** Pushes lines in one stream. */
  async function pushLines(count: number, line: (n: number) => string) {
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (sent === count) return controller.close();
        controller.enqueue(Buffer.from(`${line(sent)}\n`));
        sent += 1;
      },
    });
    const headers = { 'X-Service-Api-Key': key, 'content-type': 'application/x-ndjson' };
    const answer = await fetch(`${url}/api/integrations/inbound/bulk`, {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    } as RequestInit);
    return (await answer.json()) as {
      accepted: number;
      refused: number;
      errors: { line: number; code: string; message: string }[];
    };
  }

  /** The most that the process has had in memory since it began, in bytes. */
  async function peak(): Promise<number> {
    const status = await readFile(`/proc/${String(gateway.pid)}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  }

  const phoneOf = (n: number) => `+1555${String(1_000_000 + n)}`;
  const lists = (bytes: number) => `[${'[],'.repeat(Math.floor(bytes / 3))}[]]`;

  it('stays bounded under 480 lines of 1 MiB of empty lists, each of which is refused by number', async () => {
    const hostile = lists(mebibyte - 100);
    const answer = await pushLines(480, (n) => `{"phone_number":"${phoneOf(n)}","data":{"a":${hostile}}}`);
    expect([answer.accepted, answer.refused, answer.errors.length]).toEqual([0, 480, 480]);
    expect(answer.errors[0]).toEqual({ line: 1, code: 'payload_too_large', message: 'The line is over 128 KiB.' });
    expect(await peak()).toBeLessThan(ceiling);
  });

  it('stays bounded under 4,000 lines of 60 KiB of empty lists', async () => {
    const hostile = lists(60 * 1024);
    const answer = await pushLines(4_000, (n) => `{"phone_number":"${phoneOf(n)}","data":{"a":${hostile}}}`);
    expect([answer.accepted, answer.refused]).toEqual([0, 4_000]);
    expect(answer.errors[0]).toEqual({
      line: 1,
      code: 'invalid_request',
      message: 'The line cannot be kept: it holds more than 10,000 values.',
    });
    expect(await peak()).toBeLessThan(ceiling);
  });

  it('stays bounded under 4 streams at once of lines that are as large and as full as they may be, which are kept', async () => {
    const full = `${lists(27_000)},"b":"${'x'.repeat(36 * 1024)}"`;
    const streams = [0, 1, 2, 3].map((at) =>
      pushLines(400, (n) => `{"phone_number":"${phoneOf(at * 400 + n)}","data":{"a":${full}}}`),
    );
    expect((await Promise.all(streams)).map(({ accepted, refused }) => [accepted, refused])).toEqual(
      Array(4).fill([400, 0]),
    );
    expect(await peak()).toBeLessThan(ceiling);
  });
});
