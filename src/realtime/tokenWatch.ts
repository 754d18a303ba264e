import { refuse, type Outcome } from '../domain/outcome.ts';
import type { Clock } from '../ports/clock.ts';
import type { Authenticator, TokenHolder } from '../usecases/auth/authenticate.ts';
import type { SoftphoneSocket } from './io.ts';

export interface TokenWatch {
  /** Takes a fresh token of the same agent; refuses any other. */
  renew(token: string): Promise<Outcome<{ expiresAt: number }>>;
  stop(): void;
}

/** Ends a connection when its token expires, unless it was renewed. */
export function watchToken(
  socket: SoftphoneSocket,
  holder: TokenHolder,
  { clock, byToken }: { clock: Clock; byToken: Authenticator['byToken'] },
): TokenWatch {
  let cancel = expireAt(holder.expiresAt);
  function expireAt(time: number): () => void {
    return clock.after(Math.max(0, time - clock.now()), () => socket.disconnect(true));
  }
  return {
    async renew(token) {
      const fresh = await byToken(token);
      if (fresh.kind === 'refused') return fresh;
      const { companyId, agentId } = fresh.value.principal;
      if (agentId !== holder.principal.agentId || companyId !== holder.principal.companyId) {
        return refuse('invalid_token', 'The token is of another agent.');
      }
      cancel();
      cancel = expireAt(fresh.value.expiresAt);
      return { kind: 'ok', value: { expiresAt: fresh.value.expiresAt } };
    },
    stop: () => cancel(),
  };
}
