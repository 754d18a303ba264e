import type { JsonObject } from '../../providers/answers.ts';
import { tokenIn } from '../../providers/oauth.ts';
import { bearer, sendJson } from '../../providers/requests.ts';
import {
  anyText,
  type AccountLine,
  type AccountSettings,
  checkToken,
  digitsOf,
  jsonIn,
  type PlatformAccount,
  type PlatformGrant,
  readAccepted,
  readTaken,
  saidIn,
  sendByToken,
  type Trouble,
  verdictOf,
} from './platformAccount.ts';

/** Where access keys are exchanged for tokens. */
const regions = ['na1', 'au1', 'eu1'] as const;
const words = ['message', 'error_description', 'errorDescription', 'error'];

/**
 * CXone dials and sets states within the session of an agent: `POST /agent-sessions/join` in the agent's place, then
 * `/agent-sessions/{id}/dial-phone` or `/agent-sessions/{id}/state`. By an
 * access key of a user who may join agents' sessions. The id of the contact comes with its events.
 */
export const niceAccount: PlatformAccount = {
  fields: [
    { ...anyText, name: 'region', choices: regions, example: 'eu1' },
    { ...anyText, name: 'url', isUrl: true, example: 'https://api-e32.nice-incontact.com' },
    { ...anyText, name: 'access_key_id', example: '0TJ2WQ4XPLK3' },
    { ...anyText, name: 'access_key_secret', isSecret: true, example: '' },
    { ...anyText, name: 'skill_id', example: '4354630' },
    { ...anyText, name: 'prefix', isOptional: true, example: '011' },
  ],
  agentFields: [],
  async dial(line, settings, { agent, phone }, base) {
    const joined = await join(line, settings, agent.id, base);
    if (joined.kind !== 'joined') return joined;
    const body = { skillId: numberOr(settings['skill_id'] ?? ''), phoneNumber: digitsOf(phone, settings['prefix']) };
    return readAccepted(await line.send(post(settings, joined.token, `${joined.session}/dial-phone`, body)), words);
  },
  async setState(line, settings, { agent, reason, state }, base) {
    const joined = await join(line, settings, agent.id, base);
    if (joined.kind !== 'joined') return joined;
    const body =
      state === 'ready' ? { state: 'Available' } : { state: 'Unavailable', ...(reason === null ? {} : { reason }) };
    return readTaken(await line.send(post(settings, joined.token, `${joined.session}/state`, body)), words);
  },
  check: (line, settings, base) => checkToken(line, grantOf(settings, base)),
  listening: null,
};

/** The session of an agent, in the agent's place, by a token that holds for it. `session`: its path. */
async function join(
  line: AccountLine,
  settings: AccountSettings,
  agentId: string,
  base: string | null,
): Promise<{ kind: 'joined'; session: string; token: string } | Trouble> {
  const sent = await sendByToken(line, grantOf(settings, base), (token) =>
    post(settings, token, '/agent-sessions/join', { asAgentId: numberOr(agentId) }),
  );
  if (sent.kind !== 'sent') return sent;
  const { answer, token } = sent;
  // Nothing is done by this yet, whatever became of it.
  if (answer.kind === 'failed') return { kind: 'unavailable', said: answer.message };
  const { sessionId } = jsonIn(answer.body);
  const hasJoined =
    answer.status >= 200 && answer.status < 300 && (typeof sessionId === 'string' || typeof sessionId === 'number');
  return hasJoined
    ? { kind: 'joined', session: `/agent-sessions/${encodeURIComponent(String(sessionId))}`, token }
    : notJoined(answer);
}

/**
 * Agents and skills have numbers there; what is known by something else is named by that,
 * and CXone says what it thinks of it.
 */
function numberOr(id: string): number | string {
  return /^\d{1,15}$/.test(id) ? Number(id) : id;
}

/** Who has no session is not at work there. */
function notJoined(answer: { status: number; body: string }) {
  const verdict = verdictOf(answer, words);
  return {
    kind: verdict.kind === 'refused' ? ('refused' as const) : ('unavailable' as const),
    said: `This agent has no session: ${verdict.said}`,
  };
}

function post(settings: AccountSettings, token: string, path: string, body: JsonObject) {
  const url = `${(settings['url'] ?? '').replace(/\/+$/, '')}/InContactAPI/services/v23.0${path}`;
  return sendJson('POST', url, body, bearer(token));
}

function grantOf(settings: AccountSettings, base: string | null): PlatformGrant {
  const url = `${base ?? `https://${settings['region'] ?? ''}.nice-incontact.com`}/authentication/v1/token/access-key`;
  const key = { accessKeyId: settings['access_key_id'], accessKeySecret: settings['access_key_secret'] };
  return {
    tokenRequest: () => sendJson('POST', url, key),
    parseToken: (response) => tokenIn(response),
    isShared: false,
    refused: (answer) => ({ kind: 'unavailable', said: `The access key was refused: ${saidIn(answer, ...words)}` }),
  };
}
