import { type Json, objectIn, objectsIn, readObject, unreadable } from '../../providers/answers.ts';
import type { AccessToken, CrmResponse } from '../../providers/provider.ts';
import { sendJson } from '../../providers/requests.ts';
import {
  agentNotSet,
  anyText,
  type AccountSettings,
  checkToken,
  type PlatformAccount,
  type PlatformGrant,
  readAccepted,
  saidIn,
  sendByToken,
  type Trouble,
} from './platformAccount.ts';

/** Where agents log in, as Five9 publishes it. */
const regions = ['app.five9.com', 'app.ca.five9.com', 'app.eu.five9.eu', 'app.ca.five9.eu'] as const;

/** How long a log-in is used; Five9 does not say how long it holds, and a refused one is made anew. */
const loginHoldsSeconds = 1_800;
const words = ['message', 'five9ExceptionDetail', 'error'];

/** What a log-in gives, kept as one text. */
type Login = { tokenId: string; userId: string; farmId: string; host: string };

/**
 * Five9 dials for who is signed in: a log-in that joins the agent's own session (`AttachExisting`), and
 * `POST /appsvcs/rs/svc/agents/{id}/interactions/make_external_call`. Its answer's form is not published, so that the
 * id of the call comes with its events.
 */
export const five9Account: PlatformAccount = {
  fields: [
    { ...anyText, name: 'region', choices: regions, example: 'app.five9.com' },
    { ...anyText, name: 'campaign_id', example: '1130000000000123' },
    { ...anyText, name: 'prefix', isOptional: true, example: '011' },
  ],
  agentFields: [
    { ...anyText, name: 'user', example: 'ada@example.com' },
    { ...anyText, name: 'password', isSecret: true, example: '' },
  ],
  async dial(line, settings, { agent, phone }, base) {
    const own = agent.settings;
    if (own === null) return agentNotSet;
    const dial = (kept: string) => {
      const { farmId, host, tokenId, userId } = JSON.parse(kept) as Login;
      const agents = `${base ?? `https://${host}`}/appsvcs/rs/svc/agents`;
      const call = {
        number: numberFor(phone, settings),
        campaignId: settings['campaign_id'],
        skipDNCCheck: false,
        checkMultipleContacts: false,
      };
      const url = `${agents}/${encodeURIComponent(userId)}/interactions/make_external_call`;
      return sendJson('POST', url, call, { authorization: `Bearer-${tokenId}`, farmid: farmId });
    };
    // 435: the session has moved to another host.
    const sent = await sendByToken(
      line,
      grantOf(settings, own, base),
      dial,
      (status) => status === 401 || status === 435,
    );
    return sent.kind === 'sent' ? readAccepted(sent.answer, words) : sent;
  },
  setState: null,
  async check(line, settings, base, agent) {
    const own = agent?.settings ?? null;
    return own === null ? agentNotSet : checkToken(line, grantOf(settings, own, base));
  },
  listening: null,
};

/** A number of North America has no prefix there, and others one. */
function numberFor(phone: string, settings: AccountSettings): string {
  return phone.startsWith('+1') ? phone.slice(2) : phone.replace('+', settings['prefix'] ?? '011');
}

function grantOf(settings: AccountSettings, own: AccountSettings, base: string | null): PlatformGrant {
  return {
    tokenRequest: () =>
      sendJson('POST', `${base ?? `https://${settings['region'] ?? ''}`}/appsvcs/rs/svc/auth/login`, {
        passwordCredentials: { username: own['user'], password: own['password'] },
        appKey: 'readyline',
        policy: 'AttachExisting',
      }),
    parseToken: loginIn,
    isShared: false,
    refused: refusedLogin,
  };
}

function loginIn({ body }: CrmResponse): AccessToken {
  const { context, metadata, tokenId, userId } = readObject(body);
  const login = { tokenId, userId, farmId: objectIn(context)?.['farmId'], host: hostIn(metadata) };
  if (!isLogin(login)) unreadable('The log-in was answered without a session at a host of Five9.');
  return { accessToken: JSON.stringify(login), expiresInSeconds: loginHoldsSeconds, refreshToken: null, api: null };
}

/** That the agent is not signed in, or its password is another, is about the agent; the rest about Five9. */
function refusedLogin(answer: { status: number; body: string }): Trouble {
  const kind = answer.status >= 400 && answer.status < 429 ? 'refused' : 'unavailable';
  return { kind, said: `The log-in was refused: ${saidIn(answer, ...words)}` };
}

function isLogin(login: Record<keyof Login, unknown>): login is Login {
  return Object.values(login).every((value) => typeof value === 'string' && value !== '' && value.length <= 1_000);
}

/** The first host of the first data centre; it must be one of Five9's. */
function hostIn(metadata: Json | undefined): string | null {
  const [centre] = objectsIn(objectIn(metadata)?.['dataCenters']);
  const host = objectsIn(centre?.['apiUrls'])[0]?.['host'];
  return typeof host === 'string' && /^[a-z0-9-]+(\.[a-z0-9-]+)*\.five9\.(com|eu)$/i.test(host) ? host : null;
}
