import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { RawLine, type RawAnswer } from '../support/gateway/rawLine.ts';

/** As Java's HttpClient and `curl --http2` send it to an address without TLS. */
const h2c = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n';
const webSocket =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
const push = JSON.stringify({ phone_number: '+15551230001', data: { name: 'Grüße' } });
const pushBytes = Buffer.from(push).toString('latin1');
const chunked = [...pushBytes]
  .map((character) => `1\r\n${character}\r\n`)
  .join('')
  .concat('0\r\nX-Trailer: x\r\n\r\n');

let gateway: Gateway;
let company: TestCompany;
let host: string;
beforeAll(async () => {
  gateway = await startGateway();
  company = await gateway.company({ slug: 'foreign-upgrades' });
  host = new URL(gateway.url).host;
});
afterAll(() => gateway.close());

const lines: RawLine[] = [];
afterEach(() => {
  for (const line of lines.splice(0)) line.reset();
});

async function open(): Promise<RawLine> {
  const line = await RawLine.open(gateway.url);
  lines.push(line);
  return line;
}

const get = (path: string, headers = h2c) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`;
const pushHead = (headers: string) =>
  `POST /api/integrations/inbound HTTP/1.1\r\nHost: ${host}\r\nX-Service-Api-Key: ${company.key}\r\n` +
  `Content-Type: application/json\r\n${h2c}${headers}\r\n`;
const withLength = () => pushHead(`Content-Length: ${pushBytes.length}\r\n`) + pushBytes;
const inChunks = () => pushHead('Transfer-Encoding: chunked\r\n') + chunked;
const shownPush = { status: 200, body: expect.stringContaining('"ok":true') };

/** One connection, on which every answer comes in the order of its request. */
async function answersTo(bytes: string, count: number, { inPieces = false } = {}): Promise<RawAnswer[]> {
  const line = await open();
  line.socket.setNoDelay(true);
  if (inPieces) {
    for (let at = 0; at < bytes.length; at += 7) line.socket.write(Buffer.from(bytes.slice(at, at + 7), 'latin1'));
  } else {
    line.socket.write(Buffer.from(bytes, 'latin1'));
  }
  const answers: RawAnswer[] = [];
  while (answers.length < count) answers.push(await line.answer());
  return answers;
}

describe('an upgrade that is not served is ignored, and the request is answered as HTTP/1.1', () => {
  it.each([
    ['h2c on a route', '/api/health/live', h2c, 200],
    ['h2c on a page', '/docs', h2c, 200],
    ['h2c nowhere', '/nowhere', h2c, 404],
    ['h2c at the softphones’ address', '/socket.io/?EIO=4&transport=polling', h2c, 200],
    ['h2c at the demo telephones’ address', '/demo/sip', h2c, 404],
    ['WebSocket on a route', '/api/health/live', webSocket, 200],
    ['WebSocket nowhere', '/nowhere', webSocket, 404],
    ['WebSocket below the demo telephones’ address', '/demo/sip/x', webSocket, 404],
    ['several at once', '/api/health/live', 'Connection: keep-alive, Upgrade\r\nUpgrade: foo/1, h2c\r\n', 200],
  ])('%s', async (_what, path, headers, status) => {
    expect((await answersTo(get(path, headers), 1))[0]).toMatchObject({ status });
  });

  it.each([
    ['with its length told', withLength],
    ['in chunks', inChunks],
  ])('with its body %s, in one piece or many, and what follows on the connection', async (_how, ask) => {
    const bytes = ask();
    const following = bytes + get('/api/health/live') + get('/nowhere', '') + bytes;
    const expected = [shownPush, shownPush, { status: 200 }, { status: 404 }, shownPush];
    expect(await answersTo(bytes + following, 5)).toMatchObject(expected);
    expect(await answersTo(bytes + following, 5, { inPieces: true })).toMatchObject(expected);
  });

  it('after the body was asked for, where the caller waits for that', async () => {
    const line = await open();
    line.write(pushHead(`Content-Length: ${pushBytes.length}\r\nExpect: 100-continue\r\n`));
    expect((await line.answer()).status).toBe(100);
    line.socket.write(Buffer.from(pushBytes, 'latin1'));
    expect(await line.answer()).toMatchObject(shownPush);
    line.write(get('/api/health/live'));
    expect((await line.answer()).status).toBe(200);
  });

  it('a thousand times on one connection, which carries no more listeners in the end than in the beginning', async () => {
    const accepted: Socket[] = [];
    const note = (message: unknown) => void accepted.push((message as { socket: Socket }).socket);
    subscribe('net.server.socket', note);
    const line = await open();
    const ask = async (bytes: string) => {
      line.socket.write(Buffer.from(bytes, 'latin1'));
      return (await line.answer()).status;
    };
    expect(await ask(withLength())).toBe(200);
    unsubscribe('net.server.socket', note);
    const served = accepted.find((socket) => socket.remotePort === line.socket.localPort);
    const listeners = () =>
      served
        ?.eventNames()
        .map((name) => [name, served.listenerCount(name)])
        .sort();
    const before = listeners();
    expect(before).toContainEqual(['close', expect.any(Number)]);
    for (let count = 0; count < 500; count += 1) {
      expect([await ask(withLength()), await ask(get('/nowhere'))]).toEqual([200, 404]);
    }
    expect(listeners()).toEqual(before);
  });

  it('behind answers that are still being made, never before them', async () => {
    const slow = `POST /api/auth/login HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: `;
    const body = JSON.stringify({ email: 'admin@foreign-upgrades.example', password: 'a-password-of-the-tests' });
    const bytes = `${slow}${body.length}\r\n\r\n${body}${get('/nowhere')}${get('/api/health/live')}`;
    expect((await answersTo(bytes, 3)).map(({ status }) => status)).toEqual([200, 404, 200]);
  });

  it('not any more after an answer that ends the connection', async () => {
    const line = await open();
    const last = `GET /api/health/live HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    line.write(last + get('/api/health/live'));
    expect((await line.answer()).headers.get('connection')).toBe('close');
    await expect(line.answer()).rejects.toThrow('ended');
  });

  it('keeps as many headers as fit, so that none that matters is lost', async () => {
    const many = Array.from({ length: 1_500 }, (_, index) => `a:${index % 10}\r\n`).join('');
    const bytes = pushHead(`${many}Content-Length: ${pushBytes.length}\r\n`) + pushBytes + get('/nowhere', '');
    expect(await answersTo(bytes, 2)).toMatchObject([shownPush, { status: 404 }]);
  });
});

describe('the Host of a request (RFC 9112)', () => {
  const refusal = (reason: string) => ({
    status: 400,
    problem: { status: 400, code: 'invalid_request', detail: expect.stringContaining(reason) },
  });
  const refused = async (bytes: string) => {
    const line = await open();
    line.write(bytes);
    const { status, headers, body } = await line.answer();
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    await line.closed;
    return { status, problem: JSON.parse(body) as unknown };
  };
  const paths = ['/api/health/live', '/nowhere', '/docs', '/socket.io/?EIO=4&transport=polling'];

  it.each(paths)('must be there, once, and be one: %s', async (path) => {
    const ask = (hosts: string, version = '1.1') => refused(`GET ${path} HTTP/${version}\r\n${hosts}\r\n`);
    expect(await ask('')).toMatchObject(refusal('no Host'));
    expect(await ask(`Host: ${host}\r\nHost: ${host}\r\n`)).toMatchObject(refusal('more than one Host'));
    expect(await ask(`Host: ${host}\r\nhOST: evil.example\r\n`, '1.0')).toMatchObject(refusal('more than one Host'));
    for (const odd of ['', 'a b', 'a/b', 'u@a', 'a:b', 'a:1:2', '[::1', 'a,b c', 'ä.example']) {
      expect([odd, await ask(`Host: ${odd}\r\n`)]).toMatchObject([odd, refusal('not valid')]);
    }
  });

  it.each(['/socket.io/?EIO=4&transport=websocket', '/demo/sip', '/nowhere'])(
    'is asked for by WebSockets too: %s',
    async (path) => {
      expect(await refused(`GET ${path} HTTP/1.1\r\n${webSocket}\r\n`)).toMatchObject(refusal('no Host'));
      expect(await refused(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nHost: x\r\n${webSocket}\r\n`)).toMatchObject(
        refusal('more than one Host'),
      );
    },
  );

  it('may be missing in HTTP/1.0 alone, and has the forms of the RFC', async () => {
    const answer = async (hostLine: string, version: string) => {
      const line = await open();
      line.write(`GET /api/health/live HTTP/${version}\r\n${hostLine}\r\n`);
      return JSON.parse((await line.answer()).body) as { detail?: string };
    };
    // Its own words are the next to look at it.
    const foreign = { detail: expect.stringContaining('127.0.0.1 and localhost alone') };
    expect(await answer('', '1.0')).toMatchObject(foreign);
    for (const form of ['gateway.example', 'under_score.example:8080', '[2001:db8::1]:8080', '10.0.0.1:', 'a%20b']) {
      expect([form, await answer(`Host: ${form}\r\n`, '1.1')]).toMatchObject([form, foreign]);
    }
  });
});
