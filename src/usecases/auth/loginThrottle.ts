import type { Count, Counters } from '../../ports/counters.ts';
import { createKeyedMutex } from '../concurrency/keyedMutex.ts';

/** Log-ins that may fail, counted from the first one of a window; see docs/decisions/0025. */
export const loginLimits = {
  windowSeconds: 15 * 60,
  /** At one account, from one address. */
  perAccountAndAddress: 10,
  /** The same from a known address (a recent log-in to that account): probably the agent, mistyping. */
  perKnownAddress: 30,
  /** At one account, from all unknown addresses together. */
  perAccount: 50,
  /** From one address, at all accounts that do not know it; an office behind one address shares this. */
  perAddress: 100,
  /** How long an account remembers an address that logged in to it: a fortnight, for a holiday. */
  knownForSeconds: 14 * 24 * 3600,
} as const;

/**
 * A log-in attempt. `accounts`: the accounts it may mean, or a placeholder for one that does not exist; `name`: the name
 * given; `address`: where it comes from.
 */
export type LoginTry = { accounts: readonly string[]; name: string; address: string };

/** The accounts at which it may be tried now; if none, when to try again. */
export type LoginLeave = { allowed: ReadonlySet<string>; waitSeconds: number };

/** Slows down password guessing without locking out those who know theirs. */
export interface LoginThrottle {
  /** As `begin`, without counting. */
  ask(attempt: LoginTry): Promise<LoginLeave>;
  /** Counts an attempt before it is made, so that concurrent attempts cannot slip by. Refused attempts are not counted. */
  begin(attempt: LoginTry): Promise<LoginLeave>;
  /** The password was right: the attempt is not counted, and the account remembers the address. */
  succeeded(attempt: LoginTry, account: string): Promise<void>;
}

const { windowSeconds, perAccountAndAddress, perKnownAddress, perAccount, perAddress, knownForSeconds } = loginLimits;

/**
 * Counts failures by account and address, by account, by address, and by name and address: an unknown name is slowed down
 * like a known one. For a known address, an account checks only the failures from that address.
 */
export function createLoginThrottle(counters: Counters): LoginThrottle {
  async function look({ accounts, name, address }: LoginTry, points: 0 | 1): Promise<LoginLeave> {
    const count = (key: string) => (points === 0 ? counters.read(key) : counters.add(key, points, windowSeconds));
    const takeBack = async (key: string) => {
      if (points > 0) await counters.add(key, -points, windowSeconds);
    };
    /** Seconds until one more is allowed; 0: now. */
    const wait = (counted: Count | null, limit: number) =>
      counted !== null && counted.points + 1 - points > limit ? Math.max(1, Math.ceil(counted.endsInMs / 1_000)) : 0;

    const shared = [nameKey(name, address), addressKey(address)];
    const [byName = null, byAddress = null] = await Promise.all(shared.map(count));
    const ofStranger = Math.max(wait(byName, perAccountAndAddress), wait(byAddress, perAddress));
    const waits = await Promise.all(
      accounts.map(async (account): Promise<[string, number]> => {
        const isKnown = (await counters.read(knownKey(account, address))) !== null;
        const keys = [pairKey(account, address), ...(isKnown ? [] : [accountKey(account)])];
        const [byPair = null, byAccount = null] = await Promise.all(keys.map(count));
        const seconds = isKnown
          ? wait(byPair, perKnownAddress)
          : Math.max(ofStranger, wait(byPair, perAccountAndAddress), wait(byAccount, perAccount));
        if (seconds > 0) await Promise.all(keys.map(takeBack));
        return [account, seconds];
      }),
    );
    const allowed = new Set(waits.filter(([, seconds]) => seconds === 0).map(([account]) => account));
    if (allowed.size === 0) await Promise.all(shared.map(takeBack));
    return { allowed, waitSeconds: Math.min(...waits.map(([, seconds]) => seconds)) };
  }

  return {
    ask: (attempt) => look(attempt, 0),
    begin: (attempt) => look(attempt, 1),
    async succeeded({ name, address }, account) {
      const isKnown = (await counters.read(knownKey(account, address))) !== null;
      await Promise.all([
        counters.clear(pairKey(account, address)),
        counters.clear(nameKey(name, address)),
        counters.add(addressKey(address), -1, windowSeconds),
        ...(isKnown ? [] : [counters.add(accountKey(account), -1, windowSeconds)]),
      ]);
      // Cleared first, so that the window begins now.
      await counters.clear(knownKey(account, address));
      await counters.add(knownKey(account, address), 1, knownForSeconds);
    },
  };
}

const pairKey = (account: string, address: string) => `log-in at ${account} from ${address}`;

const nameKey = (name: string, address: string) => `log-in as ${name} from ${address}`;

const accountKey = (account: string) => `log-in at ${account}`;

const addressKey = (address: string) => `log-in from ${address}`;

const knownKey = (account: string, address: string) => `logged in at ${account} from ${address}`;

/** How many log-ins of this process may be checked or wait at once: some seconds of work for the password hasher. */
export const loginPlaces = 300;

export interface LoginQueue {
  /** Runs the work in a place of the queue; null: none is free for the address. */
  enter<T>(address: string, work: () => Promise<T>): Promise<T | null>;
  /** Runs the work when earlier ones of the same address have ended. */
  oneByOne<T>(address: string, work: () => Promise<T>): Promise<T>;
}

/**
 * Shares the places and the work fairly: an address may hold as many places as are free, so that one alone gets half of
 * them and there is always one for the next; and of each address one password at a time is checked.
 */
export function createLoginQueue(places = loginPlaces): LoginQueue {
  const held = new Map<string, number>();
  const checking = createKeyedMutex();
  let taken = 0;
  return {
    async enter(address, work) {
      const own = held.get(address) ?? 0;
      if (own >= places - taken) return null;
      taken += 1;
      held.set(address, own + 1);
      try {
        return await work();
      } finally {
        taken -= 1;
        const left = (held.get(address) ?? 1) - 1;
        if (left === 0) held.delete(address);
        else held.set(address, left);
      }
    },
    oneByOne: (address, work) => checking.run(address, work),
  };
}
