import request from 'supertest';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type Gateway } from '../support/gateway/gateway.ts';

/** A page of another site whose name was pointed at 127.0.0.1 (DNS rebinding) sends its own name as Host. */
const foreign = 'rebound.example:3000';

describe('a gateway that only this machine reaches', () => {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await startGateway('memory');
  });

  afterAll(() => gateway.close());

  it.each(['/', '/api/public/platform', '/metrics', '/demo', '/demo/inbox'])(
    'answers nothing at %s to another name',
    async (path) => {
      const answer = await request(gateway.url).get(path).set('host', foreign);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'invalid_request', detail: expect.stringContaining('set PUBLIC_URL') });
    },
  );

  it.each(['127.0.0.1:3000', 'localhost', 'LOCALHOST:80', '[::1]:3000', '127.0.0.2'])('answers to %s', async (host) => {
    expect((await request(gateway.url).get('/api/public/platform').set('host', host)).status).toBe(200);
  });

  it.each(['localhost.example', '127.0.0.1.example', 'x127.0.0.1', '[::1].example', '[::2]'])(
    'does not take %s for its own',
    async (host) => {
      expect((await request(gateway.url).get('/api/public/platform').set('host', host)).status).toBe(400);
    },
  );

  it('opens no socket for another name, though the page says that it is of that name', async () => {
    const extraHeaders = { host: foreign, origin: `http://${foreign}` };
    const socket = io(gateway.url, {
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      auth: { token: 'x' },
      extraHeaders,
    });
    const refused = await new Promise<Error>((resolve) => socket.on('connect_error', resolve));
    // Not even the token was looked at.
    expect(refused.message).not.toBe('invalid_token');
    socket.close();
  });
});

describe('a gateway that others reach', () => {
  it('leaves names to its proxy', async () => {
    const gateway = await startGateway('memory', { config: { isLocal: false } });
    const answer = await request(gateway.url).get('/api/public/platform').set('host', 'cti.example.com');
    await gateway.close();
    expect(answer.status).toBe(200);
  });
});
