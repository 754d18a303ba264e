import type { Count, Counters } from '../../ports/counters.ts';

/** Log-ins that may fail, counted from the first one of a window; see docs/decisions/0025. */
export const loginLimits = {
  windowSeconds: 15 * 60,
  /** At one account, from one address. */
  perAccountAndAddress: 10,
  /** The same from a known address or device (a recent log-in to that account): probably the agent, mistyping. */
  perKnownAddress: 30,
  /** At one account, from all unknown addresses together: at most 4,800 guesses a day. */
  perAccount: 50,
  /** From one address, at all accounts that do not know it; an office behind one address shares this. */
  perAddress: 100,
  /** How long an account remembers an address and a device that logged in to it: a fortnight, for a holiday. */
  knownForSeconds: 14 * 24 * 3600,
} as const;

/**
 * A log-in attempt. `accounts`: the accounts it may mean, or a placeholder for one that does not exist;
 * `name`: the name given; `address`: where it comes from; `device`: what it comes from, null where that does not say.
 */
export type LoginTry = { accounts: readonly string[]; name: string; address: string; device: string | null };

/** The accounts at which it may be tried now; if none, when to try again. */
export type LoginLeave = { allowed: ReadonlySet<string>; waitSeconds: number };

/** Slows down password guessing without locking out those who know theirs. */
export interface LoginThrottle {
  /** As `begin`, without counting. */
  ask(attempt: LoginTry): Promise<LoginLeave>;
  /**
   * Counts an attempt before it is made, so that concurrent attempts cannot slip by. Refused attempts are not counted.
   */
  begin(attempt: LoginTry): Promise<LoginLeave>;
  /** The password was right: the attempt is not counted, and the account remembers the address and the device. */
  succeeded(attempt: LoginTry, account: string): Promise<void>;
}

const { windowSeconds, perAccountAndAddress, perKnownAddress, perAccount, perAddress, knownForSeconds } = loginLimits;

/**
 * Counts failures by account and address, by account, by address, and by name and address: an unknown name is slowed
 * down like a known one. For a known address, an account checks only the failures from that address; a known device
 * stands for its address, so that nobody behind the same one can lock it out.
 */
export function createLoginThrottle(counters: Counters): LoginThrottle {
  /** The device or the address that the account knows; null: neither. */
  async function knownTo(account: string, attempt: LoginTry): Promise<string | null> {
    for (const place of placesOf(attempt)) if ((await counters.read(knownKey(account, place))) !== null) return place;
    return null;
  }

  async function look(attempt: LoginTry, points: 0 | 1): Promise<LoginLeave> {
    const { accounts, name, address } = attempt;
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
        const known = await knownTo(account, attempt);
        const keys = known === null ? [pairKey(account, address), accountKey(account)] : [pairKey(account, known)];
        const [byPair = null, byAccount = null] = await Promise.all(keys.map(count));
        const seconds =
          known !== null
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
    async succeeded(attempt, account) {
      const { name, address } = attempt;
      const isKnown = (await knownTo(account, attempt)) !== null;
      const places = placesOf(attempt);
      await Promise.all([
        ...places.map((place) => counters.clear(pairKey(account, place))),
        counters.clear(nameKey(name, address)),
        counters.add(addressKey(address), -1, windowSeconds),
        ...(isKnown ? [] : [counters.add(accountKey(account), -1, windowSeconds)]),
      ]);
      for (const place of places) {
        // Cleared first, so that the window begins now.
        await counters.clear(knownKey(account, place));
        await counters.add(knownKey(account, place), 1, knownForSeconds);
      }
    },
  };
}

/** Where an attempt comes from, the surest first. */
const placesOf = ({ device, address }: LoginTry) => (device === null ? [address] : [`device ${device}`, address]);

const pairKey = (account: string, place: string) => `log-in at ${account} from ${place}`;

const nameKey = (name: string, address: string) => `log-in as ${name} from ${address}`;

const accountKey = (account: string) => `log-in at ${account}`;

const addressKey = (address: string) => `log-in from ${address}`;

const knownKey = (account: string, place: string) => `logged in at ${account} from ${place}`;
