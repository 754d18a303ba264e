import type { Request } from 'express';
import type { PlatformFacts } from './route.ts';

/** `path`: what it is sent to, with all below. */
export type Cookie = { name: string; path: string };

/**
 * A `Set-Cookie` header that no script reads. Where the gateway is reached by HTTPS the cookie is also sent by a page
 * in another page's iframe, apart for each such page, if it is for frames; elsewhere browsers allow that to none.
 * @param seconds how long the browser keeps it; 0 takes it away
 */
export function cookieToSet(
  { publicUrl }: PlatformFacts,
  { name, path }: Cookie,
  value: string,
  seconds: number,
  inFrames = false,
): string {
  const isSecure = publicUrl?.startsWith('https:') === true;
  const site = isSecure && inFrames ? 'SameSite=None; Partitioned' : 'SameSite=Lax';
  return (
    `${name}=${encodeURIComponent(value)}; Path=${path}; Max-Age=${seconds}; HttpOnly; ` +
    `${site}${isSecure ? '; Secure' : ''}`
  );
}

/** What the browser brought of a cookie; null: nothing. */
export function cookieIn({ headers }: Request, { name }: Cookie): string | null {
  const own = (headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`));
  if (own === undefined) return null;
  try {
    return decodeURIComponent(own.slice(name.length + 1));
  } catch {
    return null;
  }
}
