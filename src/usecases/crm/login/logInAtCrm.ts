import { createHash } from 'node:crypto';
import type { RequestCause } from '../../../contract/causes.ts';
import type { ConnectCrmRequest } from '../../../contract/crm.ts';
import type { CrmLoginReturn } from '../../../contract/crmLogin.ts';
import type { CompanyId } from '../../../domain/ids.ts';
import { ok, type Outcome, refuse, type Refused } from '../../../domain/outcome.ts';
import type { CrmTrouble } from '../../../ports/crm.ts';
import { type CrmRequest, type Provider, type Site, UnreadableAnswer } from '../../../providers/provider.ts';
import type { Services } from '../../services.ts';
import { openCredentials, siteOf } from '../crmAccount.ts';
import { connectProvider } from '../crmConnection.ts';

/** How long an admin may take at the CRM. Milliseconds. */
export const loginWithinMs = 600_000;
/** Cookies of log-ins are sealed by every gateway alike; the company is within. */
const cookieContext = 'crm-login-cookie';

type Needs = Parameters<typeof connectProvider>[0] & Pick<Services, 'counters' | 'newSecretText'>;

/** What the browser that began a log-in keeps. Nobody but the gateways can open it. */
type Begun = {
  companyId: CompanyId;
  provider: string;
  stateHash: string;
  codeVerifier: string;
  redirectUri: string;
  expiresAt: number;
};

/** Why a log-in came to nothing, as a code for the page. */
export type LoginTrouble = Extract<RequestCause['code'], `crm_login_${string}`>;

/**
 * Where an admin logs in to let the company use its CRM account, and what her browser has to bring back (a sealed text;
 * any gateway opens it). Refuses with `not_found` and `conflict`.
 */
export async function beginLogin(
  services: Needs,
  companyId: CompanyId,
  providerId: string,
  redirectUri: string,
): Promise<Outcome<{ url: string; cookie: string }>> {
  const provider = services.crmProviders.byId.get(providerId);
  if (provider === undefined) return refuse('not_found', 'That is no CRM that the gateway knows.');
  const { authorization, name } = provider;
  if (authorization === null) {
    return refuse('conflict', `${name} is connected by what you type, not by logging in.`, {
      cause: { code: 'crm_without_login', params: { name } },
    });
  }
  const prepared = await preparedSite(services, companyId, provider);
  if (prepared === null) return notPrepared;
  const state = services.newSecretText();
  const codeVerifier = services.newSecretText();
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const url = attempt(() => authorization.authorizeUrl(prepared.site, { redirectUri, state, codeChallenge }));
  if (url === null) return notPrepared;
  const begun: Begun = {
    companyId,
    provider: provider.id,
    stateHash: hash(state),
    codeVerifier,
    redirectUri,
    expiresAt: services.clock.now() + loginWithinMs,
  };
  return ok({ url, cookie: services.cipher.encrypt(JSON.stringify(begun), cookieContext) });
}

/**
 * Completes a log-in with what the CRM sent the browser back with: exchanges the code for credentials, proves
 * them like any others and connects the company. Null: it is connected; else why not, and nothing was changed.
 * Each log-in counts once.
 * @param cookie what the browser brought; null: nothing
 */
export async function finishLogin(
  services: Needs,
  providerId: string,
  answer: CrmLoginReturn,
  cookie: string | null,
): Promise<LoginTrouble | null> {
  const begun = openCookie(services, cookie);
  if (
    begun === null ||
    begun.provider !== providerId ||
    answer.state === undefined ||
    hash(answer.state) !== begun.stateHash
  )
    return 'crm_login_not_begun_here';
  if (services.clock.now() >= begun.expiresAt) return 'crm_login_expired';
  const { points } = await services.counters.add(
    `crm login ${begun.stateHash}`,
    1,
    Math.ceil(loginWithinMs / 1_000) + 60,
  );
  if (points > 1) return 'crm_login_used';
  if (answer.error !== undefined) return answer.error === 'access_denied' ? 'crm_login_denied' : 'crm_login_refused';
  const provider = services.crmProviders.byId.get(providerId);
  const prepared = provider === undefined ? null : await preparedSite(services, begun.companyId, provider);
  if (answer.code === undefined || provider === undefined || prepared === null) return 'crm_login_refused';
  return exchangeCode(services, begun, provider, { ...prepared, answer, code: answer.code });
}

type Exchange = Prepared & { answer: CrmLoginReturn; code: string };

async function exchangeCode(
  services: Needs,
  { companyId, redirectUri, codeVerifier }: Begun,
  provider: Provider<unknown>,
  { site, settings, answer, code }: Exchange,
): Promise<LoginTrouble | null> {
  const { authorization } = provider;
  if (authorization === null) return 'crm_login_refused';
  // Some say where the account is only now.
  const credentials = authorization.returned?.(site.credentials, answer) ?? site.credentials;
  const there = siteOf(services.crmProviders, provider, { ...site, credentials });
  const request = attempt((): CrmRequest => authorization.codeRequest(there, { redirectUri, code, codeVerifier }));
  if (request === null) return 'crm_login_refused';
  const exchanged = await services.crm.askOnce({ companyId, provider, site: there }, request);
  if (exchanged.kind === 'failed')
    return isLater(exchanged.trouble.kind) ? 'crm_login_unanswered' : 'crm_login_refused';
  const granted = attempt(() => authorization.parseCode(exchanged.response, credentials));
  if (granted === null) return 'crm_login_refused';
  const connected = await connectProvider(services, companyId, {
    ...settings,
    provider: provider.id,
    credentials: granted as Record<string, string>,
  });
  if (connected.kind === 'ok') return null;
  return connected.code === 'dependency_unavailable' ? 'crm_login_unanswered' : 'crm_login_refused';
}

function isLater(kind: CrmTrouble['kind']): boolean {
  return kind === 'rate_limited' || kind === 'held_back' || kind === 'unavailable' || kind === 'no_answer';
}

type Prepared = { site: Site<unknown>; settings: Partial<ConnectCrmRequest> };

/** The app that an admin entered, or with which the company is connected already; null: neither. */
async function preparedSite(
  services: Needs,
  companyId: CompanyId,
  provider: Provider<unknown>,
): Promise<Prepared | null> {
  const [login, connection] = await Promise.all([
    services.crmLogins.find(companyId),
    services.crmConnections.find(companyId),
  ]);
  const known = [login, connection].find((one) => one?.provider === provider.id);
  if (known === undefined || known === null) return null;
  const credentials = openCredentials(services.cipher, companyId, known);
  return {
    site: siteOf(services.crmProviders, provider, { credentials, facts: {}, options: {} }),
    settings: known === login ? login.settings : {},
  };
}

/** Null: the credentials, or the answer, are not what this takes. */
function attempt<T>(make: () => T): T | null {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error;
    return null;
  }
}

function openCookie({ cipher }: Pick<Needs, 'cipher'>, cookie: string | null): Begun | null {
  if (cookie === null) return null;
  try {
    return JSON.parse(cipher.decrypt(cookie, cookieContext)) as Begun;
  } catch {
    // Anything that no gateway has sealed.
    return null;
  }
}

function hash(state: string): string {
  return createHash('sha256').update(state).digest('base64url');
}

const notPrepared: Refused = refuse('conflict', 'Save the client id and secret of your app first.', {
  cause: { code: 'crm_login_not_prepared' },
});
