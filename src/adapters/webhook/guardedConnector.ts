import net from 'node:net';
import tls from 'node:tls';
import { Agent, type buildConnector, Pool } from 'undici';
import { addressRefusal, type NetworkPolicy, type WebhookScheme } from './addressPolicy.ts';
import { AttemptFailure, connectFailure, type ConnectPhase, connectTimeout, tlsFailure } from './attemptFailure.ts';
import { guardedLookup, type HostResolver } from './hostResolver.ts';
import { PatientClient } from './patientClient.ts';
import { bareHost } from './webhookUrl.ts';

type ConnectorOptions = {
  policy: NetworkPolicy;
  /** For name, TCP and TLS together, milliseconds. */
  connectTimeoutMs: number;
  resolveHost: HostResolver;
  /** Authorities to trust instead of Node's own list, PEM. */
  certificateAuthorities?: string[];
};

/**
 * How long to wait for one address of a name before the next is tried, in milliseconds. Node's 250 ms would give up on
 * a receiver at the other end of the world whose other address cannot be reached from here.
 */
const addressTimeoutMs = 1500;

/**
 * Opens the sockets of undici's agent, only to addresses that the policy allows. Three checks, because each alone
 * can be bypassed: IP literals (which skip DNS), every address of a name, and the address actually connected to.
 * Fails with `AttemptFailure`.
 */
export function createGuardedConnector(options: ConnectorOptions): buildConnector.connector {
  return (target, callback) => {
    const host = bareHost(target.hostname);
    const scheme: WebhookScheme = target.protocol === 'https:' ? 'https:' : 'http:';
    const literalRefusal = net.isIP(host) === 0 ? null : addressRefusal(host, scheme, options.policy);
    if (literalRefusal !== null) {
      callback(
        new AttemptFailure('blocked_address', `${host} is ${literalRefusal.words}.`, {
          code: literalRefusal.code,
          params: { host },
        }),
        null,
      );
      return;
    }
    const usualPort = scheme === 'https:' ? 443 : 80;
    const port = target.port === '' ? usualPort : Number(target.port);
    open(host, port, scheme, options, callback);
  };
}

function open(
  host: string,
  port: number,
  scheme: WebhookScheme,
  options: ConnectorOptions,
  callback: buildConnector.Callback,
): void {
  const { policy, connectTimeoutMs } = options;
  let phase: ConnectPhase = net.isIP(host) === 0 ? 'resolving' : 'connecting';
  const resolveHost: HostResolver = async (hostname) => {
    const addresses = await options.resolveHost(hostname);
    phase = 'connecting';
    return addresses;
  };
  const socket = createSocket(host, port, scheme, { ...options, resolveHost });
  let settled = false;

  const fail = (failure: AttemptFailure): void => {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    socket.destroy();
    callback(failure, null);
  };
  const timer = setTimeout(() => {
    fail(connectTimeout(phase, host, port, connectTimeoutMs));
  }, connectTimeoutMs);

  // Before TLS' own listener, so that not even a handshake is sent to a refused address.
  socket.prependOnceListener('connect', () => {
    phase = 'handshake';
    const refusal = peerRefusal(socket, host, scheme, policy);
    if (refusal !== null) fail(refusal);
  });
  socket.once(scheme === 'https:' ? 'secureConnect' : 'connect', () => {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    callback(null, socket);
  });
  socket.on('error', (error) => {
    if (error instanceof AttemptFailure) fail(error);
    else fail(phase === 'handshake' ? tlsFailure(error, host) : connectFailure(error, host, port));
  });
}

/**
 * Checks the address a socket is actually connected to; null when the policy allows it. (No address: already closed.)
 */
export function peerRefusal(
  socket: net.Socket,
  host: string,
  scheme: WebhookScheme,
  policy: NetworkPolicy,
): AttemptFailure | null {
  const { remoteAddress } = socket;
  if (remoteAddress === undefined) {
    return new AttemptFailure('connect', 'The connection broke while it was being made.', { code: 'connection_broke' });
  }
  const refusal = addressRefusal(remoteAddress, scheme, policy);
  if (refusal === null) return null;
  return new AttemptFailure('blocked_address', `The connection led to ${refusal.words}.`, {
    code: refusal.code,
    params: { host },
  });
}

function createSocket(host: string, port: number, scheme: WebhookScheme, options: ConnectorOptions): net.Socket {
  const { policy, resolveHost, certificateAuthorities } = options;
  const where = {
    host,
    port,
    noDelay: true,
    lookup: guardedLookup(scheme, policy, resolveHost),
    autoSelectFamilyAttemptTimeout: addressTimeoutMs,
  };
  if (scheme === 'http:') return net.connect(where);
  return tls.connect({
    ...where,
    ALPNProtocols: ['http/1.1'],
    ...(net.isIP(host) === 0 ? { servername: host } : {}),
    ...(certificateAuthorities === undefined ? {} : { ca: certificateAuthorities }),
  });
}

/** As many as the gateway sends at once, so that companies that share an origin do not wait for each other. */
const connectionsPerOrigin = 256;

/**
 * The connections of webhooks. One that is free is kept for 4 s, or for as long as the receiver says, up to 10 s.
 * It keeps the address that was checked when it was opened: a changed DNS answer affects only the next
 * connection, which is checked again.
 */
export function createWebhookAgent(options: ConnectorOptions): Agent {
  const connect = createGuardedConnector(options);
  return new Agent({
    connect,
    factory: (origin, settings) =>
      new Pool(origin, { ...settings, factory: (to, own) => new PatientClient(to, { ...own, connect }) }),
    connections: connectionsPerOrigin,
    pipelining: 1,
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 10_000,
    maxHeaderSize: 32 * 1024,
    // One deadline over everything instead: undici's own restart with every byte that arrives.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
