import type { IncomingMessage, Server as HttpServer } from 'node:http';
import { Server, type ServerOptions, type Socket } from 'socket.io';
import { WebSocketServer, type ServerOptions as WebSocketOptions } from 'ws';
import {
  type ClientToServerEvents,
  type ServerToClientEvents,
  socketPath,
  socketTransports,
} from '../contract/socket.ts';
import { isLocalHost } from '../domain/access.ts';
import type { TaskNews } from '../ports/softphones.ts';
import type { TokenHolder } from '../usecases/auth/authenticate.ts';

/** What is kept per socket after the handshake. */
type SocketData = { holder: TokenHolder };
/** Server-side events between gateways. */
interface GatewayEvents {
  revoked: (companyId: string, agentId: string) => void;
  changed: (companyId: string) => void;
  settings_changed: (companyId: string) => void;
  rights_changed: (companyId: string) => void;
  task: (companyId: string, news: TaskNews) => void;
  messages_changed: (companyId: string) => void;
  /** Somebody watches the company from now on. */
  watched: (companyId: string, noted: (answer: null) => void) => void;
  /** A gateway could not be reached for a while: it may have seemed that nobody watches there. */
  gap: () => void;
}
export type Io = Server<ClientToServerEvents, ServerToClientEvents, GatewayEvents, SocketData>;
export type SoftphoneSocket = Socket<ClientToServerEvents, ServerToClientEvents, GatewayEvents, SocketData>;

/** The pages of other origins that may connect. */
type AllowedPages = {
  /** `*` allows every page. */
  origins: readonly string[];
  /** Whether this gateway answers to local host names only. */
  isLocal: boolean;
};

/** The Socket.IO adapter that reaches the rooms of other gateways. */
export type IoAdapter = NonNullable<ServerOptions['adapter']>;

/** A dead connection is noticed within the sum of both; other softphones need 15 to 30 s. Milliseconds. */
const pingIntervalMs = 10_000;
const pingTimeoutMs = 8_000;
const maxMessageBytes = 64 * 1024;
/** A client must ask for admission within this time. Milliseconds. */
const connectTimeoutMs = 5_000;

/**
 * The Socket.IO server, not yet attached to an HTTP server.
 * @param adapter connects the gateways; null when there is only this one
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

/** Whether a request may open a socket. Programs send no Origin; pages must be of this host or of an allowed origin. */
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
 * Limits frames and buffered chunks per message, since each costs far more memory than its bytes. Pings are answered
 * by ws itself, which ends a connection that leaves 60 answers unread.
 */
class FrugalWebSockets extends WebSocketServer {
  constructor(options: WebSocketOptions) {
    super({ ...options, maxFragments: 64, maxBufferedChunks: 1_024 });
  }
}
