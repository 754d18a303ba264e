import { handshakeAuth, type HandshakeAuth, type Refusal } from '../contract/socket.ts';
import { isSupervisor, softphoneRoles } from '../domain/access.ts';
import { refuse, type Outcome } from '../domain/outcome.ts';
import type { Authenticator, TokenHolder } from '../usecases/auth/authenticate.ts';
import type { SoftphoneSocket } from './io.ts';

/** Lets a connection in only with a valid token; the refusal arrives as `connect_error` with `data: {code, detail}`. */
export function authenticateSocket(byToken: Authenticator['byToken']) {
  return (socket: SoftphoneSocket, next: (refusal?: Error) => void): void => {
    admit(byToken, socket)
      .then((holder) => {
        if (holder.kind === 'refused') return next(connectError({ code: holder.code, detail: holder.detail }));
        socket.data.holder = holder.value;
        next();
      })
      .catch(() => next(connectError({ code: 'dependency_unavailable', detail: 'The token could not be checked now.' })));
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
