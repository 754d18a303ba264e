import { handshakeAuth, type HandshakeAuth, type Refusal } from '../contract/socket.ts';
import { isSupervisor, softphoneRoles } from '../domain/access.ts';
import { type Outcome, refuse } from '../domain/outcome.ts';
import type { Clock } from '../ports/clock.ts';
import type { Authenticator, TokenHolder } from '../usecases/auth/authenticate.ts';
import type { SoftphoneSocket } from './io.ts';

/** Lets a connection in only with a valid token; the refusal arrives as `connect_error` with `data: {code, detail}`. */
export function authenticateSocket(byToken: Authenticator['byToken']) {
  return (socket: SoftphoneSocket, next: (refusal?: Error) => void): void => {
    admit(byToken, socket)
      .then((holder) => {
        if (holder.kind === 'refused') return next(connectError({ code: holder.code, detail: holder.detail }));
        // A copy: rights that change while it is connected change here.
        socket.data.holder = { ...holder.value };
        next();
      })
      .catch(() =>
        next(connectError({ code: 'dependency_unavailable', detail: 'The token could not be checked now.' })),
      );
  };
}

/** The `auth` of a connection that was let in. */
export function authOf(socket: SoftphoneSocket): HandshakeAuth {
  return handshakeAuth.parse(socket.handshake.auth);
}

async function admit(byToken: Authenticator['byToken'], socket: SoftphoneSocket): Promise<Outcome<TokenHolder>> {
  const auth = handshakeAuth.safeParse(socket.handshake.auth);
  if (!auth.success) return refuse('unauthenticated', 'auth must be {token, session?, watch?}.');
  const holder = await byToken(auth.data.token);
  if (holder.kind === 'refused') return holder;
  const { role } = holder.value.principal;
  const roles: readonly string[] = softphoneRoles;
  if (!roles.includes(role)) return refuse('role_required', 'A dialer has no softphone.');
  if (auth.data.watch === true && !isSupervisor(role)) return refuse('role_required', 'Only supervisors may watch.');
  return holder;
}

function connectError(refusal: Refusal): Error {
  return Object.assign(new Error(refusal.code), { data: refusal });
}

interface TokenWatch {
  /** Replaces the token by a fresh one of the same agent; refuses any other. */
  renew(token: string): Promise<Outcome<{ expiresAt: number }>>;
  stop(): void;
}

/** A connection's token is checked again within this time, since another gateway may have revoked it. Milliseconds. */
const checkEveryMs = 30_000;
/** At whole multiples of this: tokens that are checked together cost one query. Milliseconds. */
const togetherMs = 1_000;

/**
 * Ends a connection when its token is revoked, or expires without being renewed. Checks at once as well, because a
 * revocation right after the handshake found no connection to end.
 * @param onValid is told who holds it by now, where it holds
 */
export function watchToken(
  socket: SoftphoneSocket,
  holder: TokenHolder,
  {
    clock,
    byToken,
    onValid,
  }: { clock: Clock; byToken: Authenticator['byToken']; onValid: (holder: TokenHolder) => void },
): TokenWatch {
  let current = authOf(socket).token;
  let cancelCheck = () => {};
  check();
  let cancel = expireAt(holder.expiresAt);
  function expireAt(time: number): () => void {
    return clock.after(Math.max(0, time - clock.now()), () => socket.disconnect(true));
  }
  function check(): void {
    const token = current;
    cancelCheck = clock.after(checkEveryMs - (clock.now() % togetherMs), check);
    byToken(token).then(
      (verdict) => {
        if (verdict.kind === 'ok') onValid(verdict.value);
        else if (token === current) socket.disconnect(true);
      },
      // An unavailable database revokes nothing.
      () => undefined,
    );
  }
  return {
    async renew(token) {
      const fresh = await byToken(token);
      if (fresh.kind === 'refused') return fresh;
      const { companyId, agentId } = fresh.value.principal;
      if (agentId !== holder.principal.agentId || companyId !== holder.principal.companyId) {
        return refuse('invalid_token', 'The token is of another agent.');
      }
      current = token;
      cancel();
      cancel = expireAt(fresh.value.expiresAt);
      return { kind: 'ok', value: { expiresAt: fresh.value.expiresAt } };
    },
    stop() {
      cancel();
      cancelCheck();
    },
  };
}
