import type { Clock } from '../../ports/clock.ts';
import type { SipConnection } from './sipConnection.ts';
import { headerOf, parameterIn, parseAddress, type SipAddress, type SipRequest, userOf } from './sipMessage.ts';

/** Where an agent's telephone is. */
export type Registration = { connection: SipConnection; contact: SipAddress; expiresAt: number };

/** The telephones that are registered, one per agent: the latest. */
export interface Registrar {
  /** Null: not registered, or not any more. */
  find(user: string): Registration | null;
  /** Whether this connection is the one of that user. */
  isAt(user: string, connection: SipConnection): boolean;
  /** Answers a REGISTER. Resolves to the registration when one was made or renewed. */
  register(connection: SipConnection, request: SipRequest): { user: string; registration: Registration } | null;
  /** A connection has closed. */
  forget(connection: SipConnection): void;
}

/** Seconds. */
const usualExpires = 600;
const longestExpires = 3_600;

/** @param secretOf an account's secret, by its user */
export function createRegistrar(needs: { clock: Clock; secretOf: (user: string) => string }): Registrar {
  const { clock, secretOf } = needs;
  const registrations = new Map<string, Registration>();

  function find(user: string): Registration | null {
    const found = registrations.get(user);
    return found !== undefined && found.connection.isOpen && found.expiresAt > clock.now() ? found : null;
  }

  function register(
    connection: SipConnection,
    request: SipRequest,
  ): { user: string; registration: Registration } | null {
    const { user } = request.to;
    if (user === null) {
      connection.reply(request, { status: 400, reason: 'To Names No User' });
      return null;
    }
    const verdict = connection.digest.check(request, user, secretOf(user));
    if (verdict === 'wrong') {
      connection.reply(request, { status: 403, reason: 'Wrong Secret' });
      connection.strike();
      return null;
    }
    if (verdict !== 'right') {
      const challenge = connection.digest.challenge(verdict === 'stale');
      connection.reply(request, { status: 401, reason: 'Unauthorized', headers: [['WWW-Authenticate', challenge]] });
      return null;
    }
    return note(connection, request, user);
  }

  function note(
    connection: SipConnection,
    request: SipRequest,
    user: string,
  ): { user: string; registration: Registration } | null {
    const text = headerOf(request, 'contact');
    const contact = text === null ? null : parseAddress(text);
    const seconds = expiresIn(text ?? '', headerOf(request, 'expires'));
    if (seconds === 0) {
      if (registrations.get(user)?.connection === connection) registrations.delete(user);
      connection.reply(request, { status: 200, reason: 'OK' });
      return null;
    }
    if (contact === null) {
      connection.reply(request, { status: 400, reason: 'Contact Is No Address' });
      return null;
    }
    const registration = { connection, contact, expiresAt: clock.now() + seconds * 1_000 };
    registrations.set(user, registration);
    connection.reply(request, {
      status: 200,
      reason: 'OK',
      headers: [['Contact', `<${contact.uri}>;expires=${String(seconds)}`]],
    });
    return { user, registration };
  }

  return {
    find,
    register,
    isAt: (user, connection) => find(user)?.connection === connection,
    forget(connection) {
      for (const [user, registration] of registrations) {
        if (registration.connection === connection) registrations.delete(user);
      }
    },
  };
}

/** Whether two contacts are of one telephone: browsers' telephones make up a user of their own for each page. */
export function isSameTelephone(left: string, right: string): boolean {
  const user = userOf(left);
  return user !== null && user === userOf(right);
}

/** Seconds; 0: the registration shall end. */
function expiresIn(contact: string, header: string | null): number {
  const text = parameterIn(contact.replace(/^[^>]*>/, ''), 'expires') ?? header ?? '';
  return /^\d{1,9}$/.test(text) ? Math.min(Number(text), longestExpires) : usualExpires;
}
