import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { handleUpgrades } from '../../src/http/upgradeHandler.ts';
import { limitConnections, type CutReason } from '../../src/realtime/connectionLimits.ts';
import { attachIo, createIo, type Io } from '../../src/realtime/io.ts';
import { RawEngine } from '../support/gateway/rawEngine.ts';
import { RawLine } from '../support/gateway/rawLine.ts';
import { eventually } from '../support/time/waiting.ts';

type Cut = { reason: CutReason; isAdmitted: boolean };

/** The real-time side alone: it lets in whoever says `{"token":"good"}`. */
async function open() {
  const cuts: Cut[] = [];
  const server = createServer();
  const io = createIo({ origins: [], isLocal: true }, null);
  io.use((socket, next) => next(socket.handshake.auth['token'] === 'good' ? undefined : new Error('no')));
  io.on('connection', (socket) => void socket.join('all'));
  attachIo(io, server);
  limitConnections(io, (reason, socket) => void cuts.push({ reason, isAdmitted: socket !== null }));
  const upgradeHandler = handleUpgrades(server);
  upgradeHandler.webSockets('/socket.io/', (request, socket, head) => io.engine.handleUpgrade(request, socket, head));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await io.close();
  });
  return { io, cuts, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` };
}

const good = { token: 'good' };
const question = `40${JSON.stringify(good)}`;

/** Signs in by polling. */
async function poll(url: string): Promise<{ line: RawLine; sid: string }> {
  const line = await RawLine.open(url);
  const ask = async (method: string, sid: string, body = '') => {
    line.write(
      `${method} /socket.io/?EIO=4&transport=polling${sid} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    return (await line.answer()).body;
  };
  const sid = `&sid=${(JSON.parse((await ask('GET', '')).slice(1)) as { sid: string }).sid}`;
  await ask('POST', sid, question);
  await ask('GET', sid);
  return { line, sid };
}

describe('a connection that is not admitted', () => {
  it('asks once, before anything else, and in few bytes; else it is cut off', async () => {
    const { url, cuts } = await open();
    for (const packets of [
      [question, question],
      ['42["x"]'],
      ['42["x"]', question],
      [`40${'x'.repeat(17 * 1024)}`],
      ['40/admin,', '40/admin,'],
      Array<string>(30).fill('3'),
    ]) {
      const engine = await RawEngine.open(url);
      engine.send(...packets);
      await engine.closed;
    }
    expect(cuts).toEqual(Array<Cut>(6).fill({ reason: 'not_admitted', isAdmitted: false }));
  });

  it.each([
    ['its question', '40{"token":"bad"}'],
    ['another namespace', '40/admin,{"token":"good"}'],
  ])('is told so when %s is refused, and then closed', async (_what, packet) => {
    const { url, cuts } = await open();
    const engine = await RawEngine.open(url);
    engine.send(packet);
    await engine.closed;
    expect(engine.packets.at(-1)).toMatch(/^44/);
    expect(cuts).toEqual([]);
  });

  it('is closed when it asks nothing', async () => {
    const { url, io } = await open();
    const engine = await RawEngine.open(url);
    await engine.closed;
    expect(io.engine.clientsCount).toBe(0);
  });

  it('is not heard any more after that, though its packets were read together', async () => {
    const { url, io, cuts } = await open();
    let asked = 0;
    io.use((_socket, next) => {
      asked += 1;
      next();
    });
    const line = await RawLine.open(url);
    line.write('GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    const { sid } = JSON.parse((await line.answer()).body.slice(1)) as { sid: string };
    const body = Array<string>(5_000).fill(question.replaceAll('good', 'bad')).join('\u001e').slice(0, 60_000);
    line.write(
      `POST /socket.io/?EIO=4&transport=polling&sid=${sid} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    await eventually(() => io.engine.clientsCount === 0);
    expect({ cuts, asked }).toEqual({ cuts: [{ reason: 'not_admitted', isAdmitted: false }], asked: 0 });
    line.reset();
  });

  it('that pings as nobody does who connects is cut off', async () => {
    const { url, cuts } = await open();
    const engine = await RawEngine.open(url);
    for (let count = 0; count < 30; count += 1) engine.socket.ping('x'.repeat(100));
    await engine.closed;
    expect(cuts).toEqual([{ reason: 'not_admitted', isAdmitted: false }]);
  });
});

describe('an admitted connection', () => {
  it('asks no second time, and floods nobody', async () => {
    const { url, cuts } = await open();
    const floods = [
      [question],
      ['40/admin,'],
      Array<string>(2_100).fill('43999[]'),
      Array<string>(60).fill(`42["x","${'x'.repeat(50_000)}"]`),
    ];
    for (const packets of floods) {
      const engine = await RawEngine.signedIn(url, good);
      engine.send(...packets);
      await engine.closed;
    }
    expect(cuts).toEqual(floods.map(() => ({ reason: 'flood', isAdmitted: true })));
  });

  /** Until the network takes no more, and then what may wait. */
  const tooMuch = (io: Io) => () => {
    io.to('all').emit('settings_changed');
    for (let count = 0; count < 8; count += 1)
      io.to('all').emit('clicks_changed', { tallies: ['x'.repeat(256 * 1024)] as never });
  };

  it('that reads nothing is cut off once 4 MiB wait for it; others get all', async () => {
    const { url, io, cuts } = await open();
    const [deaf, reader] = [await RawEngine.signedIn(url, good), await RawEngine.signedIn(url, good)];
    deaf.stopReading();
    const fill = tooMuch(io);
    const read = () => reader.packets.filter((packet) => packet === '42["settings_changed"]').length;
    let filled = 0;
    await eventually(() => {
      // Not faster than the other one reads.
      if (read() === filled) {
        fill();
        filled += 1;
      }
      return cuts.length > 0;
    });
    expect(cuts).toEqual([{ reason: 'slow_consumer', isAdmitted: true }]);
    await eventually(() => read() === filled);
    deaf.socket.terminate();
  });

  it('that reads slowly gets a message larger than that, and what comes meanwhile', async () => {
    const { url, io, cuts } = await open();
    const slow = await RawEngine.signedIn(url, good);
    slow.stopReading();
    io.to('all').emit('clicks_changed', { tallies: ['x'.repeat(24 * 1024 * 1024)] as never });
    for (let count = 0; count < 12; count += 1)
      io.to('all').emit('clicks_changed', { tallies: ['x'.repeat(256 * 1024)] as never });
    io.to('all').emit('settings_changed');
    slow.socket.ping();
    const pong = once(slow.socket, 'pong');
    slow.socket.resume();
    await pong;
    await slow.packet((packet) => packet === '42["settings_changed"]');
    expect(cuts).toEqual([]);
    slow.socket.terminate();
  });

  it('that polls, and does so no more, is cut off as well', async () => {
    const { url, io, cuts } = await open();
    const { line } = await poll(url);
    const fill = tooMuch(io);
    for (let count = 0; count < 3; count += 1) fill();
    expect(cuts).toEqual([{ reason: 'slow_consumer', isAdmitted: true }]);
    expect(io.engine.clientsCount).toBe(0);
    line.reset();
  });

  it('that polls gets no pongs without end on a WebSocket beside it, nor answers to its probes', async () => {
    const { url } = await open();
    const { line, sid } = await poll(url);
    for (const flood of [
      (socket: WebSocket) => socket.ping('x'.repeat(100)),
      (socket: WebSocket) => socket.send('2probe'),
    ]) {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket${sid}`);
      let isClosed = false;
      socket.on('error', () => {}).once('close', () => (isClosed = true));
      await once(socket, 'open');
      socket.pause();
      await eventually(() => {
        for (let count = 0; count < 2_000 && socket.readyState === WebSocket.OPEN; count += 1) flood(socket);
        return isClosed;
      });
    }
    line.reset();
  });
});
