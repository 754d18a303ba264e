type Host = { host: string; port: number };
type Login = { username?: string; password?: string };

/** What a Redis URL says. */
export type RedisAddress = Login & {
  kind: 'standalone' | 'sentinel' | 'cluster';
  tls: boolean;
  hosts: [Host, ...Host[]];
  /** The primary's name; sentinel only. */
  name?: string;
  /** How to log in to the sentinels themselves; sentinel only. */
  sentinelLogin?: Login;
  /** The number of the database; standalone only. */
  db?: number;
};

const urlForm =
  /^(?<scheme>rediss?)(?:-(?<kind>sentinel|cluster))?:\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^@/?]+)(?:\/(?<path>[^/?]*))?(?:\?(?<query>[^?]*))?$/;

/** Reads a Redis URL of one of the forms of `connectRedis`. Throws without repeating the URL: it holds a password. */
export function parseRedisUrl(url: string): RedisAddress {
  const parts = urlForm.exec(url)?.groups;
  if (!parts) throw new Error('not a Redis URL');
  const { scheme, kind = 'standalone', user, password, path, query } = parts;
  const [first, ...others] = (parts['hosts'] ?? '').split(',').map((host) => parseHost(host, kind));
  if (!first || (kind === 'standalone' && others.length > 0)) throw new Error('a redis:// URL names one host');
  const address: RedisAddress = {
    kind: kind === 'sentinel' || kind === 'cluster' ? kind : 'standalone',
    tls: scheme === 'rediss',
    hosts: [first, ...others],
    ...(user && { username: decode(user) }),
    ...(password && { password: decode(password) }),
  };
  if (kind === 'sentinel') {
    if (!path) throw new Error('a redis-sentinel:// URL ends with the name of the primary');
    return { ...address, name: decode(path), ...(query && { sentinelLogin: parseSentinelLogin(query) }) };
  }
  if (query !== undefined) throw new Error('only a redis-sentinel:// URL may have a query');
  if (!path) return address;
  if (kind === 'cluster' || !/^\d+$/.test(path)) throw new Error('only a redis:// URL may end with a database number');
  return { ...address, db: Number(path) };
}

function parseHost(text: string, kind: string): Host {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::(\d+))?$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (!host) throw new Error('a Redis URL names hosts as host:port');
  const usualPort = kind === 'sentinel' ? 26_379 : 6_379;
  return { host, port: port ? Number(port) : usualPort };
}

function parseSentinelLogin(query: string): Login {
  const {
    sentinelUsername: username,
    sentinelPassword: password,
    ...others
  } = Object.fromEntries(
    query.split('&').map((pair) => [pair.split('=', 1)[0], decode(pair.slice(pair.indexOf('=') + 1))]),
  );
  if (Object.keys(others).length > 0) {
    throw new Error('a redis-sentinel:// URL’s query may hold sentinelUsername and sentinelPassword');
  }
  return { ...(username && { username }), ...(password && { password }) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('a Redis URL writes special characters as %XX');
  }
}
