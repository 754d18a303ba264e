import { once } from 'node:events';
import { Server as SocketIoServer } from 'socket.io';
import { io as connectSocketIo } from 'socket.io-client';
import { describe, expect, it } from 'vitest';
import { WebSocket, type ClientOptions } from 'ws';
import { isAllowedOrigin } from '../../../src/realtime/io.ts';
import { ada, ben, CarrierRoom } from './carrierRoom.ts';
import { offerSdp } from '../../support/sip/sipTelephone.ts';

/** Resolves with `open`, or with the status by which the upgrade was refused. */
async function knock(
  url: string,
  options: ClientOptions = {},
  protocols: string[] = ['sip'],
): Promise<string | number> {
  const socket = new WebSocket(url, protocols, options);
  return new Promise((resolve) => {
    socket.once('open', () => resolve('open'));
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('error', () => {});
  });
}

describe('the door of the echo carrier', () => {
  it('lets in pages of its own host and of allowed origins, and programs; not pages of another origin', async () => {
    const room = await CarrierRoom.open({
      isAllowed: (request) => isAllowedOrigin(request, { origins: ['https://crm.example.com'], isLocal: true }),
    });
    const { host } = new URL(room.url);
    expect(await knock(room.url)).toBe('open');
    expect(await knock(room.url, { origin: `http://${host}` })).toBe('open');
    expect(await knock(room.url, { origin: 'https://crm.example.com' })).toBe('open');
    expect(await knock(room.url, { origin: 'https://evil.example.com' })).toBe(403);
    expect(await knock(room.url, { origin: 'null' })).toBe(403);
  });

  it('speaks SIP and nothing else, to as many as it has lines', async () => {
    const room = await CarrierRoom.open({ maxConnections: 2 });
    expect(await knock(room.url, {}, [])).toBe(400);
    expect(await knock(room.url, {}, ['chat'])).toBe(400);
    expect(await knock(room.url, {}, ['chat', 'sip'])).toBe('open');
    expect(await knock(room.url)).toBe('open');
    expect(await knock(room.url)).toBe(503);
  });

  it('stands beside Socket.IO: each serves its own, neither ends the other’s', async () => {
    const io = new SocketIoServer({ transports: ['websocket'] });
    const room = await CarrierRoom.open({
      before: (server) => {
        server.on('request', (_request, response) => response.writeHead(404).end());
        io.attach(server);
      },
    });
    room.upgradeHandler.webSockets('/socket.io/', (request, socket, head) =>
      io.engine.handleUpgrade(request, socket, head),
    );
    const telephone = await room.registered();
    const client = connectSocketIo(room.url.replace('ws:', 'http:').replace('/demo/sip', ''), {
      transports: ['websocket'],
      reconnection: false,
    });
    await new Promise<void>((resolve) => client.once('connect', resolve));
    expect(await knock(room.url.replace('/demo/sip', '/nobody'))).toBe(404);
    expect((await telephone.ask('OPTIONS')).status).toBe(200);
    expect(client.connected).toBe(true);
    client.close();
    io.engine.close();
  });

  it('answers a sign of life with one', async () => {
    const room = await CarrierRoom.open();
    const telephone = await room.telephone();
    const answered = once(telephone.socket, 'message');
    telephone.sendText('\r\n\r\n');
    const [data] = await answered;
    expect(String(data)).toBe('\r\n');
  });

  it('bears what is no SIP, and closes the line of whoever goes on with it', async () => {
    const room = await CarrierRoom.open();
    const neighbour = await room.registered(ben);
    const nonsense = [
      'hello',
      '\0',
      'INVITE sip:x SIP/2.0\r\n\r\n',
      'INVITE sip:x SIP/2.0\r\nVia: SIP/2.0/WS a;branch=b\r\nFrom: x\r\nTo: x\r\nCall-ID: x\r\nCSeq: 1 BYE\r\n\r\n',
      `OPTIONS sip:x@y SIP/2.0\r\n${'X: y\r\n'.repeat(200)}\r\n`,
      'SIP/2.0 999 Odd\r\n\r\n',
      'SIP/2.0 200 OK\r\nVia: a;branch=b\r\nFrom: <sip:%zz@y>;tag=\r\nTo: <sip:@>\r\nCall-ID: \r\n' +
        'CSeq: 1 INVITE\r\n\r\n',
      'REGISTER sip:a SIP/2.0\r\nContent-Length: 99\r\n\r\n',
    ];
    const telephone = await room.telephone();
    for (const text of nonsense) telephone.sendText(text);
    expect((await telephone.ask('OPTIONS')).status).toBe(200);
    for (let round = 0; round < 3; round += 1) for (const text of nonsense) telephone.sendText(text);
    expect(await telephone.closed).toBe(1008);
    expect((await neighbour.ask('OPTIONS')).status).toBe(200);
    expect(room.problems).toEqual([]);
  });

  it('bears headers that are no headers where it looks at them', async () => {
    const room = await CarrierRoom.open();
    const telephone = await room.registered(ada);
    const odd = ['', '<>', '"', '<sip:>;tag', '<sip:%zz@x>', 'sip:\u{1F4DE}@x', 'x'.repeat(5_000)];
    for (const value of odd) {
      const { status } = await telephone.ask('INVITE', {
        headers: { Contact: value, Replaces: value },
        body: offerSdp,
      });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(
        (await telephone.ask('REGISTER', { headers: { Authorization: `Digest ${value}`, Contact: value } })).status,
      ).toBe(401);
    }
    expect(room.problems).toEqual([]);
  });

  it('closes the line of whoever sends too much at once, or too long a message', async () => {
    const room = await CarrierRoom.open();
    const hasty = await room.telephone();
    for (let count = 0; count < 201; count += 1) hasty.sendText('\r\n\r\n');
    expect(await hasty.closed).toBe(1008);
    const long = await room.telephone();
    long.sendText('x'.repeat(64 * 1024 + 1));
    expect(await long.closed).toBe(1009);
  });

  it('closes the line of whoever guesses secrets', async () => {
    const room = await CarrierRoom.open();
    const guesser = await room.telephone();
    for (let count = 0; count < 20; count += 1) expect(await guesser.register({ secret: `guess ${count}` })).toBe(403);
    expect(await guesser.closed).toBe(1008);
  });
});
