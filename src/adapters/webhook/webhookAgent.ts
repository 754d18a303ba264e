import { Agent } from 'undici';
import { createGuardedConnector } from './guardedConnector.ts';
import type { ConnectorOptions } from './guardedConnector.ts';

/** As many as the gateway sends at once: companies that share an origin do not wait for each other's answers. */
const connectionsPerOrigin = 256;

/**
 * The connections of webhooks. One that is free is kept for 4 s, or for as long as the receiver says, up to 10 s. It
 * stays with the address that was judged when it was made: a name that changes its answer changes only where the next
 * connection leads, and that is judged again. An origin without a connection is forgotten.
 */
export function createWebhookAgent(options: ConnectorOptions): Agent {
  return new Agent({
    connect: createGuardedConnector(options),
    connections: connectionsPerOrigin,
    pipelining: 1,
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 10_000,
    maxHeaderSize: 32 * 1024,
    // One deadline over everything instead: undici's own are restarted by every byte that drips in.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
