import type { Clock } from '../../ports/clock.ts';
import type { Line } from './line.ts';
import { parameterIn, parseAddress, userOf, type SipAddress } from './sipAddress.ts';
import { headerOf, type SipRequest } from './sipMessage.ts';

/** Where an agent's telephone is. */
export type Registration = { line: Line; contact: SipAddress; expiresAt: number };

/** The telephones that are registered, one per agent: the latest. */
export interface Registrar {
  /** Null: not registered, or not any more. */
  find(user: string): Registration | null;
  /** Whether this line is the one of that user. */
  isAt(user: string, line: Line): boolean;
  /** Answers a REGISTER. Resolves to the registration when one was made or renewed. */
  register(line: Line, request: SipRequest): { user: string; registration: Registration } | null;
  /** A line has closed. */
  forget(line: Line): void;
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
    return found !== undefined && found.line.isOpen && found.expiresAt > clock.now() ? found : null;
  }

  function register(line: Line, request: SipRequest): { user: string; registration: Registration } | null {
    const { user } = request.to;
    if (user === null) {
      line.reply(request, { status: 400, reason: 'To Names No User' });
      return null;
    }
    const verdict = line.digest.check(request, user, secretOf(user));
    if (verdict === 'wrong') {
      line.reply(request, { status: 403, reason: 'Wrong Secret' });
      line.strike();
      return null;
    }
    if (verdict !== 'right') {
      const challenge = line.digest.challenge(verdict === 'stale');
      line.reply(request, { status: 401, reason: 'Unauthorized', headers: [['WWW-Authenticate', challenge]] });
      return null;
    }
    return note(line, request, user);
  }

  function note(line: Line, request: SipRequest, user: string): { user: string; registration: Registration } | null {
    const text = headerOf(request, 'contact');
    const contact = text === null ? null : parseAddress(text);
    const seconds = expiresIn(text ?? '', headerOf(request, 'expires'));
    if (seconds === 0) {
      if (registrations.get(user)?.line === line) registrations.delete(user);
      line.reply(request, { status: 200, reason: 'OK' });
      return null;
    }
    if (contact === null) {
      line.reply(request, { status: 400, reason: 'Contact Is No Address' });
      return null;
    }
    const registration = { line, contact, expiresAt: clock.now() + seconds * 1_000 };
    registrations.set(user, registration);
    line.reply(request, { status: 200, reason: 'OK', headers: [['Contact', `<${contact.uri}>;expires=${String(seconds)}`]] });
    return { user, registration };
  }

  return {
    find,
    register,
    isAt: (user, line) => find(user)?.line === line,
    forget(line) {
      for (const [user, registration] of registrations) if (registration.line === line) registrations.delete(user);
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
