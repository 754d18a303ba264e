import type { Json } from './answers.ts';
import type { CrmRequest, Site } from './provider.ts';

/** How providers write requests. */

type Query = Record<string, string | undefined>;

/** A URL below an address, with query parameters in the given order; those that are undefined are left out. */
export function urlOf(address: string, path: string, query: Query = {}): string {
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const text = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return `${address}${path}${text === '' ? '' : `?${text}`}`;
}

/** Writes URLs of a provider's interface, all of which begin with the same path at the site. */
export function apiBelow(base: string) {
  return ({ addresses }: Pick<Site<unknown>, 'addresses'>, path: string, query?: Query): string =>
    urlOf(addresses.api, `${base}${path}`, query);
}

export function get(url: string, headers: Record<string, string> = {}): CrmRequest {
  return { method: 'GET', url, headers: { accept: 'application/json', ...headers } };
}

/** A request with a JSON body; fields that are undefined are left out. */
export function sendJson(
  method: 'POST' | 'PUT' | 'PATCH',
  url: string,
  body: Json,
  headers: Record<string, string> = {},
): CrmRequest {
  return {
    method,
    url,
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

/** A POST with a form body, as token endpoints take it. */
export function sendForm(
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): CrmRequest {
  return {
    method: 'POST',
    url,
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  };
}

/** The same request, which the provider counts among its searches. */
export function asSearch(request: CrmRequest): CrmRequest {
  return { ...request, isSearch: true };
}

/** The header of HTTP Basic authentication. */
export function basic(user: string, password: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/**
 * A text of others, such as an id, as one part of an address.
 * Dots alone would climb in a path, and halves of characters cannot be written at all.
 */
export function partOf(text: string): string {
  const whole = text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD');
  return /^\.{1,2}$/.test(whole) ? whole.replaceAll('.', '%252E') : encodeURIComponent(whole);
}

/** The id of a call as the key by which a provider knows a repeat. */
export function idempotencyKey({ id }: { id: string }): Record<string, string> {
  return { 'idempotency-key': id.replace(/[^\x21-\x7e]/g, '_') };
}

/** An id as providers with numeric ids take it in JSON: a number, or a text where a double does not hold it. */
export function idNumber(id: string): number | string {
  const number = Number(id);
  return Number.isSafeInteger(number) ? number : id;
}
