import { refuse, type Outcome } from '../domain/outcome.ts';
import type { Clock } from '../ports/clock.ts';
import type { Authenticator, TokenHolder } from '../usecases/auth/authenticate.ts';
import { authOf } from './handshake.ts';
import type { SoftphoneSocket } from './io.ts';

export interface TokenWatch {
  /** Replaces the token by a fresh one of the same agent; refuses any other. */
  renew(token: string): Promise<Outcome<{ expiresAt: number }>>;
  stop(): void;
}

/** How often a connection's token is checked again, since another gateway may have revoked it. Milliseconds. */
const checkEveryMs = 30_000;

/**
 * Ends a connection when its token is revoked, or expires without being renewed. Checks at once as well, because a
 * revocation right after the handshake found no connection to end.
 */
export function watchToken(
  socket: SoftphoneSocket,
  holder: TokenHolder,
  { clock, byToken }: { clock: Clock; byToken: Authenticator['byToken'] },
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
    cancelCheck = clock.after(checkEveryMs, check);
    byToken(token).then(
      (verdict) => {
        if (verdict.kind === 'refused' && token === current) socket.disconnect(true);
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
