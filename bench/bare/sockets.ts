// The bare stack for idle softphones: Socket.IO with authentication and a room, and nothing else.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveVerbs } from '../worker.ts';
import { createBareIo } from './bareIo.ts';

export type BareSockets = { start(options: { jwtSecret: string }): Promise<{ url: string }> };

serveVerbs({
  async start({ jwtSecret }) {
    const server = createServer();
    const io = createBareIo(server, jwtSecret);
    io.on('connection', (socket) => socket.on('ready', (acknowledge) => acknowledge()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  },
} satisfies BareSockets);
