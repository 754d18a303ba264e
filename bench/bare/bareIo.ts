import type { Server as HttpServer } from 'node:http';
import { Server } from 'socket.io';
import { tokenVerifier } from './authenticate.ts';

/** What a bare connection knows of its agent. */
export type BareSocketData = { agentId: string; companyId: string };

export interface BareToClient {
  click_to_dial: (offer: BareOffer, acknowledge: (ack: { ok: true }) => void) => void;
}
export interface BareToServer {
  ready: (acknowledge: () => void) => void;
  ended: (call: { call_id: string }, acknowledge: () => void) => void;
  disposition: (call: { call_id: string; code: string }, acknowledge: () => void) => void;
}
/** Pop and offer in one. */
export type BareOffer = { call_id: string; phone_number: string; screen_pop: object };
export type BareIo = Server<BareToServer, BareToClient, Record<string, never>, BareSocketData>;

/** Socket.IO with the gateway's engine options; a token lets a connection in, and into its agent's room. */
export function createBareIo(server: HttpServer, jwtSecret: string): BareIo {
  const verify = tokenVerifier(jwtSecret);
  const io: BareIo = new Server(server, {
    transports: ['websocket', 'polling'],
    serveClient: false,
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: 64 * 1024,
    pingInterval: 10_000,
    pingTimeout: 8_000,
  });
  io.use((socket, next) => {
    const { token } = socket.handshake.auth as { token?: unknown };
    const claims = typeof token === 'string' ? verify(token) : undefined;
    if (claims === undefined) return next(new Error('unauthenticated'));
    socket.data = { agentId: claims.sub, companyId: claims.company_id };
    next();
  });
  io.on('connection', (socket) => void socket.join(roomOf(socket.data.agentId)));
  return io;
}

export const roomOf = (agentId: string): string => `agent:${agentId}`;
