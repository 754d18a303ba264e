import type { JsonObject } from '../../providers/answers.ts';
import { grantRequest, loginToken } from '../../providers/oauth.ts';
import { bearer, sendJson } from '../../providers/requests.ts';
import {
  agentNotSet,
  anyText,
  type AccountLine,
  type AccountSettings,
  checkToken,
  type DialVerdict,
  jsonIn,
  type PlatformAccount,
  type PlatformGrant,
  readTaken,
  saidIn,
  sendByToken,
  verdictOf,
  verdictOfSilence,
} from './platformAccount.ts';

/** Data centres of Webex Contact Center, as their addresses name them. */
const regions = ['us1', 'eu1', 'eu2', 'anz1', 'ca1', 'jp1', 'sg1'] as const;
const words = ['message', 'error_description', 'error', 'reason'];

/**
 * Webex Contact Center dials (`POST /v1/tasks`) and sets states (`PUT /v1/agents/session/state`) for who is signed in
 * to its desktop, with a token of that agent (scope `cjp:user`), which the refresh token of the agent's consent to the
 * company's own Webex integration gives. The answer to a dial has the id of the task, which its webhooks name. Such a
 * token ends after 90 days without use.
 */
export const webexccAccount: PlatformAccount = {
  fields: [
    { ...anyText, name: 'region', choices: regions, example: 'eu1' },
    { ...anyText, name: 'client_id', example: 'C1f9c362f4e4f0a9b1a1d9a3c7e5b20' },
    { ...anyText, name: 'client_secret', isSecret: true, example: '' },
    { ...anyText, name: 'entry_point_id', example: '0b7a4a1e-8a52-4b59-9d36-6f1c2f4d9e11' },
    { ...anyText, name: 'origin', isOptional: true, example: '+15550199' },
    { ...anyText, name: 'idle_code_id', isOptional: true, example: '3f0b4d1c-6a52-4b59-9d36-6f1c2f4d9e22' },
  ],
  agentFields: [{ ...anyText, name: 'refresh_token', isSecret: true, example: '' }],
  async dial(line, settings, { agent, phone, callId }, base) {
    const own = agent.settings;
    if (own === null) return agentNotSet;
    const body = {
      entryPointId: settings['entry_point_id'],
      destination: phone,
      attributes: { readyline_call_id: callId },
      mediaType: 'telephony',
      outboundType: 'OUTDIAL',
      ...originOf(settings),
    };
    const sent = await ask(line, settings, own, { method: 'POST', path: '/v1/tasks', body }, base);
    if (sent.kind !== 'sent') return sent;
    return sent.answer.kind === 'failed' ? verdictOfSilence(sent.answer) : read(sent.answer);
  },
  async setState(line, settings, { agent, reason, state }, base) {
    const own = agent.settings;
    if (own === null) return agentNotSet;
    const idleCode = settings['idle_code_id'] ?? '';
    if (state === 'not_ready' && idleCode === '')
      return { kind: 'unavailable', said: 'The account has no idle code for agents who are not Ready.' };
    // The code of Available is 0 at every company.
    const wanted = state === 'ready' ? { state: 'Available', auxCodeId: '0' } : { state: 'Idle', auxCodeId: idleCode };
    const body = { ...wanted, lastStateChangeReason: reason ?? state, agentId: agent.id };
    const sent = await ask(line, settings, own, { method: 'PUT', path: '/v1/agents/session/state', body }, base);
    return sent.kind === 'sent' ? readTaken(sent.answer, words) : sent;
  },
  async check(line, settings, base, agent) {
    const own = agent?.settings ?? null;
    return own === null ? agentNotSet : checkToken(line, grantOf(settings, own, base));
  },
  listening: null,
};

/** Asks in the agent's place. */
function ask(
  line: AccountLine,
  settings: AccountSettings,
  own: AccountSettings,
  { body, method, path }: { method: 'POST' | 'PUT'; path: string; body: JsonObject },
  base: string | null,
) {
  const url = `${base ?? `https://api.wxcc-${settings['region'] ?? ''}.cisco.com`}${path}`;
  return sendByToken(line, grantOf(settings, own, base), (token) => sendJson(method, url, body, bearer(token)));
}

function originOf(settings: AccountSettings): { origin?: string } {
  const origin = settings['origin'] ?? '';
  return origin === '' ? {} : { origin };
}

function read(answer: { status: number; body: string }): DialVerdict {
  if (answer.status < 200 || answer.status >= 300) return verdictOf(answer, words);
  const data = jsonIn(answer.body)['data'];
  const id = (data as { id?: unknown } | null | undefined)?.id;
  return { kind: 'accepted', callId: typeof id === 'string' && id !== '' ? id : null };
}

function grantOf(settings: AccountSettings, own: AccountSettings, base: string | null): PlatformGrant {
  const url = `${base ?? 'https://webexapis.com'}/v1/access_token`;
  const app = { client_id: settings['client_id'] ?? '', client_secret: settings['client_secret'] ?? '' };
  return {
    ...loginToken({ refresh_token: own['refresh_token'] }, (grant) => grantRequest(url, app, grant)),
    isShared: true,
    refused: (answer) => ({
      kind: answer.status === 400 || answer.status === 401 ? 'refused' : 'unavailable',
      said: `The refresh token was refused: ${saidIn(answer, ...words)}`,
    }),
  };
}
