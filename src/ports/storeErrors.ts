/** Codes of sockets, PostgreSQL and Prisma that say: what the gateway stands on is away, or has no room, for now. */
const codes = new Set(
  [
    ['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
    ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN'],
    // PostgreSQL: shutting down, crashed, starting up, statement or lock time-out, read-only after a failover.
    ['57P01', '57P02', '57P03', '57014', '55P03', '25006'],
    // Prisma: cannot reach, time-out, connection closed, pool time-out, transaction not begun or over its time,
    // too many connections. P2010 and P2039 say only that the database refused; why, is in their `meta`.
    ['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037'],
  ].flat(),
);
/** SQLSTATE classes: connection exceptions, and insufficient resources (53300: too many connections). */
const sqlClasses = /^(08|53)[0-9A-Z]{3}$/;

const names = new Set(['MaxRetriesPerRequestError', 'ClusterAllFailedError', 'AbortError']);

const messages = [
  // pg and its pool.
  /^Connection terminated/,
  /^timeout exceeded when trying to connect/,
  /^Client has encountered a connection error/,
  /^Query read timeout/,
  // ioredis, and what Redis answers while it loads, fails over or reshards.
  /^Connection is closed/,
  /^Stream isn't writeable/,
  /^Command timed out/,
  /^(LOADING|CLUSTERDOWN|MASTERDOWN|READONLY|TRYAGAIN|NOREPLICAS|BUSY|OOM) /,
];

/** Names of what a database driver adapter of Prisma reports. */
const adapterKinds = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections']);

const maxDepth = 6;

/** Whether an error says that PostgreSQL or Redis cannot be reached or used for now. Looks into causes too. */
export function isDependencyFailure(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > maxDepth) return false;
  const { code, syscall, name, kind, message, cause, errors, meta } = error as Record<string, unknown>;
  if (typeof code === 'string' && (codes.has(code) || sqlClasses.test(code))) return true;
  // A unix socket whose server is away.
  if (code === 'ENOENT' && syscall === 'connect') return true;
  if (typeof name === 'string' && names.has(name)) return true;
  if (typeof kind === 'string' && adapterKinds.has(kind)) return true;
  if (typeof message === 'string' && messages.some((form) => form.test(message))) return true;
  if (Array.isArray(errors) && errors.some((inner) => isDependencyFailure(inner, depth + 1))) return true;
  return isDependencyFailure(cause, depth + 1) || isDependencyFailure(adapterErrorIn(meta), depth + 1);
}

/** Prisma keeps what its driver reported, with PostgreSQL's own code, beside the error and not as its cause. */
function adapterErrorIn(meta: unknown): unknown {
  return typeof meta === 'object' && meta !== null && 'driverAdapterError' in meta
    ? meta.driverAdapterError
    : undefined;
}

/**
 * Thrown by a store for free-form input with a `unstorableReason` (see the domain): no store can keep it,
 * and nothing was written. The edges refuse such input before it has any effect, so this speaks of one that forgot to.
 */
export class InvalidTextError extends Error {
  override readonly name = 'InvalidTextError';

  /**
   * @param field what the text was for, in domain words, e.g. `metadata`
   * @param detail why it cannot be kept, as the end of a sentence that begins with the field
   * @param index of several entries, which one; counted from 0
   */
  constructor(
    readonly field: string,
    readonly detail: string,
    readonly index: number | null = null,
  ) {
    super(`${field} cannot be stored: ${detail}`);
  }
}
