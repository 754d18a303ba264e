import { anyText, basic, type Dialing, type DialLine, type DialSettings, type DialVerdict, type GotToken, jsonIn, saidIn, verdictOf, verdictOfSilence } from './dialing.ts';

/** The regions' domains, as Genesys publishes them. */
const regions = [
  'mypurecloud.com',
  'use2.us-gov-pure.cloud',
  'usw2.pure.cloud',
  'cac1.pure.cloud',
  'mypurecloud.ie',
  'mypurecloud.de',
  'euw2.pure.cloud',
  'euc2.pure.cloud',
  'aps1.pure.cloud',
  'apne2.pure.cloud',
  'apne3.pure.cloud',
  'mypurecloud.jp',
  'mypurecloud.com.au',
  'sae1.pure.cloud',
  'mec1.pure.cloud',
] as const;

/** What an answer of its interface says, in the order of worth. */
const words = ['message', 'error_description', 'code', 'error'];

/**
 * Genesys Cloud calls on behalf of a user: `POST /api/v2/conversations/calls/user/{userId}`, with a token of client credentials whose role
 * has `conversation:call:add` and `conversation:agentlessCall:add`. The answer has the id of the conversation, which its events name.
 */
export const genesysDialing: Dialing = {
  fields: [
    { ...anyText, name: 'region', choices: regions, example: 'mypurecloud.de' },
    { ...anyText, name: 'client_id', example: '6c1f9c36-2f4e-4f0a-9b1a-1d9a3c7e5b20' },
    { ...anyText, name: 'client_secret', isSecret: true, example: '' },
    { ...anyText, name: 'queue_id', isOptional: true, example: '0b7a4a1e-8a52-4b59-9d36-6f1c2f4d9e11' },
  ],
  async dial(line, settings, { agent, phone, callId }, base) {
    for (const renews of [false, true]) {
      const got = await line.token(() => askForToken(line, settings, base), renews);
      if (got.kind !== 'token') return got;
      const answer = await line.send({
        method: 'POST',
        url: `${base ?? `https://api.${settings['region'] ?? ''}`}/api/v2/conversations/calls/user/${encodeURIComponent(agent)}`,
        headers: { authorization: `Bearer ${got.token}`, 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ phoneNumber: phone, ...queueOf(settings), attributes: { readyline_call_id: callId } }),
      });
      if (answer.kind === 'failed') return verdictOfSilence(answer);
      // A token that was refused has dialed nothing: once more, with another.
      if (answer.status === 401 && !renews) continue;
      return read(answer);
    }
    return { kind: 'unavailable', said: 'The token was refused twice.' };
  },
  async check(line, settings, base) {
    const got = await line.token(() => askForToken(line, settings, base), true);
    return got.kind === 'token' ? null : got;
  },
};

function queueOf(settings: DialSettings): { callFromQueueId?: string } {
  const queue = settings['queue_id'] ?? '';
  return queue === '' ? {} : { callFromQueueId: queue };
}

function read(answer: { status: number; body: string }): DialVerdict {
  if (answer.status < 200 || answer.status >= 300) return verdictOf(answer, words);
  const { id } = jsonIn(answer.body);
  return typeof id === 'string' && id !== '' ? { kind: 'accepted', callId: id } : { kind: 'unknown', said: 'The answer has no id of a conversation.' };
}

async function askForToken(line: DialLine, settings: DialSettings, base: string | null): Promise<GotToken> {
  const answer = await line.send({
    method: 'POST',
    url: `${base ?? `https://login.${settings['region'] ?? ''}`}/oauth/token`,
    headers: { authorization: basic(settings['client_id'] ?? '', settings['client_secret'] ?? ''), 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: 'grant_type=client_credentials',
  });
  // Nothing is dialed by this, whatever became of it.
  if (answer.kind === 'failed') return { kind: 'unavailable', said: answer.message };
  const { access_token: token, expires_in: seconds } = jsonIn(answer.body);
  if (answer.status !== 200 || typeof token !== 'string' || token === '') return { kind: 'unavailable', said: `The credentials were refused: ${saidIn(answer, ...words)}` };
  return { kind: 'token', token, endsInMs: (typeof seconds === 'number' && seconds > 0 ? seconds : 60) * 1_000 };
}
