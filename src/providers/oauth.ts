import { type Json, type JsonObject, readObject, textIn, textOf, numberIn, unreadable } from './answers.ts';
import {
  type AccessToken,
  type CrmRequest,
  type CrmResponse,
  type TokenAuthentication,
  type TokenGrant,
  UnreadableAnswer,
} from './provider.ts';
import { bearer, sendForm } from './requests.ts';

/** How providers, and telephony platforms, authenticate by OAuth 2 (RFC 6749). */

type App = { client_id: string; client_secret: string };
type LoggedIn = App & { refresh_token?: string | undefined };
/** Where requests go from now on, by what came with the token; null: where they went before. */
type ApiOf = (answer: JsonObject) => string | null;

/** A request for a token, in which the app names itself beside what it was granted. */
export function grantRequest(
  url: string,
  { client_id, client_secret }: App,
  grant: Record<string, string>,
): CrmRequest {
  return sendForm(url, { ...grant, client_id, client_secret });
}

/** The token of an answer. Throws `UnreadableAnswer`. */
export function tokenIn(response: CrmResponse, apiOf: ApiOf = () => null): AccessToken {
  const answer = readObject(response.body);
  return {
    accessToken: textOf(answer.access_token, 'an access token'),
    expiresInSeconds: numberIn(answer.expires_in),
    refreshToken: textIn(answer.refresh_token),
    api: apiOf(answer),
  };
}

/** The token of an answer that succeeded, or what is wrong with that. */
export function readToken(
  response: CrmResponse,
  { parseToken }: TokenGrant,
): { kind: 'token'; token: AccessToken } | { kind: 'unreadable'; message: string } {
  try {
    return { kind: 'token', token: parseToken(response) };
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error;
    return { kind: 'unreadable', message: error.message };
  }
}

/**
 * A token for the app itself (client credentials). Never refreshed: the next one by the same credentials leaves nothing
 * that could be used twice.
 */
export function appToken(
  url: string,
  app: App,
  { scope, apiOf }: { scope?: string; apiOf?: ApiOf } = {},
): TokenAuthentication {
  return {
    kind: 'token',
    tokenRequest: () =>
      grantRequest(url, app, { grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) }),
    parseToken: (response) => ({ ...tokenIn(response, apiOf), refreshToken: null }),
    headers: ({ accessToken }) => bearer(accessToken),
  };
}

/**
 * A token for whoever has logged in, by the refresh token: the one that came last, at first the one of the credentials.
 */
export function loginToken(
  { refresh_token }: Pick<LoggedIn, 'refresh_token'>,
  tokenRequest: (grant: Record<string, string>) => CrmRequest,
  { apiOf, headers = bearer }: { apiOf?: ApiOf; headers?: typeof bearer } = {},
): TokenAuthentication {
  return {
    kind: 'token',
    tokenRequest: (latest) =>
      tokenRequest({ grant_type: 'refresh_token', refresh_token: latest ?? refresh_token ?? '' }),
    parseToken: (response) => tokenIn(response, apiOf),
    headers: ({ accessToken }) => headers(accessToken),
  };
}

/**
 * The credentials of an app, where those of an account may be typed instead. Throws `UnreadableAnswer` for the latter.
 */
export function appOf<C extends object>(credentials: C): Extract<C, App> {
  return 'client_id' in credentials
    ? (credentials as Extract<C, App>)
    : unreadable('Logging in needs the id and secret of an app.');
}

/** Whether an admin can log in with them. */
export function isApp(credentials: object): boolean {
  return 'client_id' in credentials;
}

/** Whether they are the credentials of an app to which nobody has logged in yet. */
export function needsLogin(credentials: object): boolean {
  return 'client_id' in credentials && (credentials as LoggedIn).refresh_token === undefined;
}

/** What every request to log in says (and PKCE of RFC 7636). */
export function loginQuery(
  { client_id }: Pick<App, 'client_id'>,
  { redirectUri, state, codeChallenge }: { redirectUri: string; state: string; codeChallenge: string },
) {
  return { client_id, redirect_uri: redirectUri, state, code_challenge: codeChallenge, code_challenge_method: 'S256' };
}

/** What every request that turns a code into a token says. */
export function codeGrant({
  redirectUri,
  code,
  codeVerifier,
}: {
  redirectUri: string;
  code: string;
  codeVerifier: string;
}): Record<string, string> {
  return { grant_type: 'authorization_code', redirect_uri: redirectUri, code, code_verifier: codeVerifier };
}

/**
 * The app's credentials with the refresh token of an answer, without which a log-in is of no use.
 * Throws `UnreadableAnswer`.
 */
export function loggedIn<C extends object>(response: CrmResponse, credentials: C): Extract<C, LoggedIn> {
  return {
    ...appOf(credentials),
    refresh_token: tokenIn(response).refreshToken ?? unreadable('Expected a refresh token.'),
  };
}

/** Whether an answer says that the app or what it was granted is not (or no longer) good. */
export function isRefusedGrant(error: Json | undefined): boolean {
  return error === 'invalid_client' || error === 'invalid_grant' || error === 'invalid_token';
}
