import type { IncomingMessage, Server as HttpServer } from 'node:http';
import { Server, type ServerOptions, type Socket } from 'socket.io';
import { socketPath, socketTransports, type ClientToServerEvents, type ServerToClientEvents } from '../contract/socket.ts';
import type { TokenHolder } from '../usecases/auth/authenticate.ts';

/** What the gateway keeps with a connection from the handshake on. */
export type SocketData = { holder: TokenHolder };
/** From gateway to gateway, to all. */
export interface GatewayEvents {
  revoked: (companyId: string, agentId: string) => void;
  changed: (companyId: string) => void;
  settings_changed: (companyId: string) => void;
}
export type Io = Server<ClientToServerEvents, ServerToClientEvents, GatewayEvents, SocketData>;
export type SoftphoneSocket = Socket<ClientToServerEvents, ServerToClientEvents, GatewayEvents, SocketData>;

/** How gateways reach each other's rooms; Socket.IO makes one for each namespace. */
export type IoAdapter = NonNullable<ServerOptions['adapter']>;

/** A dead line is noticed within this time; the field's softphones need 15 to 30 s. */
const pingIntervalMs = 10_000;
const pingTimeoutMs = 8_000;
const maxMessageBytes = 64 * 1024;

/**
 * The Socket.IO server, not yet attached to an HTTP server.
 * @param allowedOrigins origins of pages that may connect, beside pages of this service itself; `*`: of every page
 * @param adapter the way to other gateways; null: there are none
 */
export function createIo(allowedOrigins: readonly string[], adapter: IoAdapter | null): Io {
  return new Server({
    path: socketPath,
    ...(adapter === null ? {} : { adapter }),
    transports: [...socketTransports],
    serveClient: false,
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: maxMessageBytes,
    pingInterval: pingIntervalMs,
    pingTimeout: pingTimeoutMs,
    cors: { origin: allowedOrigins.includes('*') ? '*' : [...allowedOrigins], credentials: false },
    // `cors` does not stop a page of a foreign origin over WebSocket; this does.
    allowRequest: (request, decide) => decide(null, isAllowedOrigin(request, allowedOrigins)),
  });
}

/** Attaches to the HTTP server that serves REST. */
export function attachIo(io: Io, httpServer: HttpServer): void {
  io.attach(httpServer);
}

/** Programs send no Origin; pages must be of this host or an allowed origin. */
export function isAllowedOrigin(request: IncomingMessage, allowed: readonly string[]): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  if (allowed.includes('*') || allowed.includes(origin)) return true;
  try {
    return host !== undefined && new URL(origin).host === host;
  } catch {
    return false;
  }
}
