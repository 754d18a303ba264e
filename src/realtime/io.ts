import type { IncomingMessage, Server as HttpServer } from 'node:http';
import { Server, type ServerOptions, type Socket } from 'socket.io';
import { WebSocketServer, type ServerOptions as WebSocketOptions } from 'ws';
import { type ClientToServerEvents, type ServerToClientEvents, socketPath, socketTransports } from '../contract/socket.ts';
import { isLocalHost } from '../domain/localHost.ts';
import type { TokenHolder } from '../usecases/auth/authenticate.ts';

/** What the gateway keeps with a connection from the handshake on. */
type SocketData = { holder: TokenHolder };
/** From gateway to gateway, to all. */
interface GatewayEvents {
  revoked: (companyId: string, agentId: string) => void;
  changed: (companyId: string) => void;
  settings_changed: (companyId: string) => void;
}
export type Io = Server<ClientToServerEvents, ServerToClientEvents, GatewayEvents, SocketData>;
export type SoftphoneSocket = Socket<ClientToServerEvents, ServerToClientEvents, GatewayEvents, SocketData>;

/** Which pages may connect, beside those of this service itself. */
type AllowedPages = {
  /** `*`: every page. */
  origins: readonly string[];
  /** Whether only names of this very machine are taken for this service. */
  isLocal: boolean;
};

/** How gateways reach each other's rooms; Socket.IO makes one for each namespace. */
export type IoAdapter = NonNullable<ServerOptions['adapter']>;

/** A dead line is noticed within this time; the field's softphones need 15 to 30 s. */
const pingIntervalMs = 10_000;
const pingTimeoutMs = 8_000;
const maxMessageBytes = 64 * 1024;
/** Who connects asks at once to be let in, and is so within this time. */
const connectTimeoutMs = 5_000;

/**
 * The Socket.IO server, not yet attached to an HTTP server.
 * @param adapter the way to other gateways; null: there are none
 */
export function createIo(allowed: AllowedPages, adapter: IoAdapter | null): Io {
  return new Server({
    path: socketPath,
    ...(adapter === null ? {} : { adapter }),
    transports: [...socketTransports],
    serveClient: false,
    wsEngine: FrugalWebSockets,
    connectTimeout: connectTimeoutMs,
    upgradeTimeout: connectTimeoutMs,
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: maxMessageBytes,
    pingInterval: pingIntervalMs,
    pingTimeout: pingTimeoutMs,
    cors: { origin: allowed.origins.includes('*') ? '*' : [...allowed.origins], credentials: false },
    // `cors` does not stop a page of a foreign origin over WebSocket; this does.
    allowRequest: (request, decide) => decide(null, isAllowedOrigin(request, allowed)),
  });
}

/** Attaches to the HTTP server that serves REST. */
export function attachIo(io: Io, httpServer: HttpServer): void {
  io.attach(httpServer);
}

/** Programs send no Origin; pages must be of this host or an allowed origin. */
export function isAllowedOrigin(request: IncomingMessage, { origins, isLocal }: AllowedPages): boolean {
  const { origin, host } = request.headers;
  if (isLocal && !isLocalHost(host)) return false;
  if (origin === undefined) return true;
  if (origins.includes('*') || origins.includes(origin)) return true;
  try {
    return host !== undefined && new URL(origin).host === host;
  } catch {
    return false;
  }
}

/**
 * Messages come in a handful of frames and packets, whatever the network does to them; each costs far more than its bytes.
 * Pings are answered by the WebSocket itself: ws ends a connection that leaves 60 answers unread.
 */
class FrugalWebSockets extends WebSocketServer {
  constructor(options: WebSocketOptions) {
    super({ ...options, maxFragments: 64, maxBufferedChunks: 1_024 });
  }
}
