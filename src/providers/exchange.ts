import { createHash, timingSafeEqual } from 'node:crypto';
import { plainJson } from '../contract/jsonText.ts';
import { type CrmFailure, type CrmRequest, type CrmResponse, type CrmToken, type InboundRequest, UnreadableAnswer, type Verdict } from './provider.ts';

/** How providers write requests and read answers. */

/** The longest text of a provider that is kept in a failure. Characters. */
const maxMessage = 500;
/** The longest field that a record's details keep. Characters. */
const maxDetail = 200;
/** How far a notice's time may be off. Milliseconds. The five minutes of HubSpot and of Standard Webhooks. */
const toleranceMs = 5 * 60_000;

export type Json = null | boolean | number | string | Json[] | { [field: string]: Json | undefined };
export type JsonObject = { [field: string]: Json | undefined };

/** A URL below an address, with query parameters in the given order; those that are undefined are left out. */
export function urlOf(address: string, path: string, query: Record<string, string | undefined> = {}): string {
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const text = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return `${address}${path}${text === '' ? '' : `?${text}`}`;
}

export function get(url: string, headers: Record<string, string> = {}): CrmRequest {
  return { method: 'GET', url, headers: { accept: 'application/json', ...headers } };
}

/** A request with a JSON body; fields that are undefined are left out. */
export function sendJson(method: 'POST' | 'PUT' | 'PATCH', url: string, body: Json, headers: Record<string, string> = {}): CrmRequest {
  return {
    method,
    url,
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

/** A POST with a form body, as token endpoints take it. */
export function sendForm(url: string, fields: Record<string, string>, headers: Record<string, string> = {}): CrmRequest {
  return {
    method: 'POST',
    url,
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  };
}

/** The header of HTTP Basic authentication. */
export function basic(user: string, password: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/**
 * The JSON of an answer or a notice. Numbers that a double does not hold exactly come as texts, so that long ids stay whole.
 * Throws `UnreadableAnswer` where there is none: a page of a proxy, half an answer.
 */
export function readJson(text: string): Json {
  try {
    return plainJson(text) as Json;
  } catch {
    throw new UnreadableAnswer('Expected JSON.');
  }
}

/** The same, which must be an object. */
export function readObject(text: string): JsonObject {
  return objectIn(readJson(text)) ?? unreadable('Expected a JSON object.');
}

/** The JSON of an answer; null where it is none. For failures, which may come from a proxy. */
export function tryJson(text: string): Json {
  try {
    return readJson(text);
  } catch {
    return null;
  }
}

export function objectIn(value: Json | undefined): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
}

/** The objects of a list; whatever else is in it is left out. Empty where it is no list. */
export function objectsIn(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.map(objectIn).filter((one) => one !== null) : [];
}

/** A text or number as text; null where it is missing, empty or anything else. */
export function textIn(value: Json | undefined): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** A number, also one that is written as text; null where it is none. */
export function numberIn(value: Json | undefined): number | null {
  const text = textIn(value);
  const number = text === null ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

/** The texts among the values, without repetitions. */
export function textsIn(...values: (Json | undefined)[]): string[] {
  return [...new Set(values.map(textIn).filter((text) => text !== null))];
}

/** A link of the web, as the provider gives it; null where it is anything else. */
export function linkIn(value: Json | undefined): string | null {
  const link = textIn(value);
  return link !== null && /^https?:\/\//.test(link) && URL.canParse(link) ? link : null;
}

/** An id as providers with numeric ids take it in JSON: a number, or a text where a double does not hold it. */
export function idNumber(id: string): number | string {
  const number = Number(id);
  return Number.isSafeInteger(number) ? number : id;
}

/** A POST that the provider counts as a search. */
export function searchJson(url: string, body: Json, headers: Record<string, string> = {}): CrmRequest {
  return { ...sendJson('POST', url, body, headers), isSearch: true };
}

/** The first and last name in one text; null where both are missing. */
export function fullName(...parts: (Json | undefined)[]): string | null {
  const name = parts.map(textIn).filter((part) => part !== null).join(' ');
  return name === '' ? null : name;
}

/** The token of an answer as RFC 6749 has it. Throws `UnreadableAnswer`. */
export function tokenIn(response: CrmResponse): CrmToken {
  const { access_token, expires_in, refresh_token } = readObject(response.body);
  return {
    accessToken: textIn(access_token) ?? unreadable('Expected an access token.'),
    expiresInSeconds: numberIn(expires_in),
    refreshToken: textIn(refresh_token),
    api: null,
  };
}

/** What every request to log in by OAuth says (RFC 6749, and PKCE of RFC 7636). */
export function loginQuery({ redirectUri, state, codeChallenge }: { redirectUri: string; state: string; codeChallenge: string }): Record<string, string> {
  return { redirect_uri: redirectUri, state, code_challenge: codeChallenge, code_challenge_method: 'S256' };
}

/** What every request that turns a code into a token says. */
export function codeGrant({ redirectUri, code, codeVerifier }: { redirectUri: string; code: string; codeVerifier: string }): Record<string, string> {
  return { grant_type: 'authorization_code', redirect_uri: redirectUri, code, code_verifier: codeVerifier };
}

/** The refresh token of an answer, without which a log-in is of no use. Throws `UnreadableAnswer`. */
export function refreshTokenIn(response: CrmResponse): string {
  return tokenIn(response).refreshToken ?? unreadable('Expected a refresh token.');
}

/** Details of a record: what is there of them, each cut to 200 characters. */
export function detailsOf(values: Record<string, Json | undefined>): Record<string, string> {
  const told = Object.entries(values).map(([name, value]) => [name, textIn(value)?.slice(0, maxDetail) ?? null] as const);
  return Object.fromEntries(told.filter((pair): pair is readonly [string, string] => pair[1] !== null));
}

export function unreadable(message: string): never {
  throw new UnreadableAnswer(message);
}

/** Whether a page for people came where JSON should: from a proxy, a log-in or a system in maintenance. */
export function isPage({ headers, body }: CrmResponse): boolean {
  return (headers['content-type'] ?? '').startsWith('text/html') || /^\s{0,100}</.test(body);
}

/** A provider's own words, bounded and on one line; the status where there are none. */
export function wordsOf(text: string | null, { status }: CrmResponse): string {
  const words = (text ?? '').replace(/\s+/g, ' ').trim().slice(0, maxMessage);
  return words === '' ? `HTTP ${status}` : words;
}

/** `Retry-After` in milliseconds, given in seconds; null where it is missing or a date. */
export function retryAfterMs({ headers }: CrmResponse): number | null {
  const seconds = numberIn(headers['retry-after']);
  return seconds === null || seconds < 0 ? null : seconds * 1_000;
}

/** What a status says when a provider means by it what HTTP means. `words`: the provider's own. Null: it succeeded. */
export function failureOf(response: CrmResponse, words: string | null): CrmFailure | null {
  const { status } = response;
  const message = wordsOf(words, response);
  if (status >= 200 && status < 300) return null;
  if (status === 401) return { kind: 'unauthorized', message };
  if (status === 403) return { kind: 'forbidden', message, permission: null };
  if (status === 404 || status === 410) return { kind: 'not_found', message };
  if (status === 409) return { kind: 'exists', message };
  if (status === 429) return { kind: 'rate_limited', message, retryAfterMs: retryAfterMs(response) };
  if (status >= 400 && status < 500 && status !== 408 && status !== 423 && status !== 425) return { kind: 'invalid', message, field: null };
  return { kind: 'unavailable', message };
}

/** Whether two secrets are the same, in a time that tells nothing of them. */
export function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Compares what a notice carries with what it should; `missing` where it carries nothing. */
export function compare(given: string | undefined, expected: string): Verdict {
  if (given === undefined || given === '') return 'missing';
  return isSame(given, expected) ? 'ok' : 'mismatch';
}

/** The header in which CRM systems that do not sign carry the secret that the gateway issued. */
export const secretHeader = 'x-readyline-secret';

/** Checks a notice by that header; without a secret the unguessable address is all there is. */
export function checkSecret({ headers }: InboundRequest, secret: string | null): Verdict {
  return secret === null ? 'ok' : compare(headers[secretHeader], secret);
}

/** Whether a notice's time is too far from now. Both in milliseconds since the epoch; NaN counts as too far. */
export function isStale(at: number, receivedAt: number): boolean {
  return !(Math.abs(receivedAt - at) <= toleranceMs);
}

/** A text inside of HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
