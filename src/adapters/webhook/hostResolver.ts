import { lookup, Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { addressRefusal } from './addressPolicy.ts';
import type { AddressRefusal, NetworkPolicy, WebhookScheme } from './addressPolicy.ts';
import { AttemptFailure } from './attemptFailure.ts';

/** All addresses of a host name. None, or a rejection, when there are none. */
export type HostResolver = (hostname: string) => Promise<readonly { address: string; family: number }[]>;

/** The machine's own resolution: hosts file, then DNS. Each look-up holds one of the process' few threads. */
const systemResolver: HostResolver = (hostname) => lookup(hostname, { all: true });

/**
 * Resolution by DNS alone, IPv4 first, within a few seconds. It uses no thread of the pool: silent name servers would
 * soon hold all four, and block every other company's names and all log-ins. `servers`: in place of the machine's,
 * `address:port` each.
 */
export function createDnsResolver(servers?: string[]): HostResolver {
  return async (hostname) => {
    // One each: a resolver reads the machine's settings when it is made, and they may change.
    const resolver = new Resolver({ timeout: 1500, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return found.flatMap((answer, at) => {
      if (answer.status === 'rejected') return [];
      return answer.value.map((address) => ({ address, family: at === 0 ? 4 : 6 }));
    });
  };
}

/**
 * How a policy's names are resolved: public ones by DNS; on a development network the machine knows names of its own.
 */
export function resolverFor(policy: NetworkPolicy): HostResolver {
  return policy === 'public' ? createDnsResolver() : systemResolver;
}

/** Why one of a name's addresses keeps webhooks away from them all; null when none does. */
export function resolvedRefusal(
  addresses: readonly { address: string }[],
  scheme: WebhookScheme,
  policy: NetworkPolicy,
): AddressRefusal | null {
  for (const { address } of addresses) {
    const refusal = addressRefusal(address, scheme, policy);
    if (refusal !== null) return { ...refusal, words: `resolves to ${refusal.words}` };
  }
  return null;
}

/** A resolution for `net.connect` that hands out addresses only when every one of them fits the policy. */
export function guardedLookup(scheme: WebhookScheme, policy: NetworkPolicy, resolve: HostResolver): LookupFunction {
  return (hostname, options, callback) => {
    resolveGuarded(hostname, scheme, policy, resolve).then(
      (addresses) => {
        if (options.all === true) callback(null, addresses);
        else callback(null, addresses[0].address, addresses[0].family);
      },
      (error: unknown) => {
        callback(error instanceof Error ? error : new Error(String(error)), []);
      },
    );
  };
}

type Addresses = [HostAddress, ...HostAddress[]];
type HostAddress = { address: string; family: number };

async function resolveGuarded(
  hostname: string,
  scheme: WebhookScheme,
  policy: NetworkPolicy,
  resolve: HostResolver,
): Promise<Addresses> {
  // Copied once, so that the address checked is the address connected to.
  const [first, ...rest] = await resolve(hostname).then(
    (found) => found.map(({ address, family }) => ({ address, family })),
    (): HostAddress[] => [],
  );
  if (first === undefined) {
    throw new AttemptFailure('dns', `The host name ${hostname} could not be resolved.`, {
      code: 'dns_failed',
      params: { host: hostname },
    });
  }
  const addresses: Addresses = [first, ...rest];
  const refusal = resolvedRefusal(addresses, scheme, policy);
  if (refusal !== null) {
    throw new AttemptFailure('blocked_address', `The host name ${hostname} ${refusal.words}.`, {
      code: refusal.code,
      params: { host: hostname },
    });
  }
  return addresses;
}
