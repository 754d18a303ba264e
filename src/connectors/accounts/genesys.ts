import { anyText, basic, type AccountLine, type AccountSettings, type DialVerdict, type GotToken, jsonIn, type PlatformAccount, saidIn, sendByToken, verdictOf, verdictOfSilence } from './account.ts';

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
export const genesysAccount: PlatformAccount = {
  fields: [
    { ...anyText, name: 'region', choices: regions, example: 'mypurecloud.de' },
    { ...anyText, name: 'client_id', example: '6c1f9c36-2f4e-4f0a-9b1a-1d9a3c7e5b20' },
    { ...anyText, name: 'client_secret', isSecret: true, example: '' },
    { ...anyText, name: 'queue_id', isOptional: true, example: '0b7a4a1e-8a52-4b59-9d36-6f1c2f4d9e11' },
  ],
  agentFields: [],
  async dial(line, settings, { agent, phone, callId }, base) {
    const sent = await sendByToken(line, () => askForToken(line, settings, base), (token) => ({
      method: 'POST',
      url: `${base ?? `https://api.${settings['region'] ?? ''}`}/api/v2/conversations/calls/user/${encodeURIComponent(agent.id)}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ phoneNumber: phone, ...queueOf(settings), attributes: { readyline_call_id: callId } }),
    }));
    if (sent.kind !== 'sent') return sent;
    return sent.answer.kind === 'failed' ? verdictOfSilence(sent.answer) : read(sent.answer);
  },
  async check(line, settings, base) {
    const got = await line.token(() => askForToken(line, settings, base), true);
    return got.kind === 'token' ? null : got;
  },
  listening: {
    async begin(line, settings, base) {
      const got = await line.token(() => askForToken(line, settings, base), true);
      if (got.kind !== 'token') return { kind: 'failed', said: got.said };
      const ask = askerOf(line, settings, base, got.token);
      const users = await readUsers(ask);
      if (users.kind === 'failed') return users;
      const sockets: { url: string; headers: Record<string, string> }[] = [];
      for (let first = 0; first < users.agents.length; first += usersOfChannel) {
        const channel = await openChannel(ask, settings, base, users.agents.slice(first, first + usersOfChannel));
        if (channel.kind === 'failed') return channel;
        sockets.push({ url: channel.url, headers: {} });
      }
      return { kind: 'sockets', sockets, agents: users.agents };
    },
    // A channel ends after 24 hours.
    renewMs: 23 * 3_600_000,
  },
};

/** A channel takes 1,000 topics, of which each user has two. */
const usersOfChannel = 500;
/** Users of a page, and pages: Genesys has up to 20 channels for an application. */
const usersOfPage = 500;
const mostPages = 20;

type Failed = { kind: 'failed'; said: string };
type Asker = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<{ kind: 'fields'; fields: Readonly<Record<string, unknown>> } | Failed>;

function askerOf(line: AccountLine, settings: AccountSettings, base: string | null, token: string): Asker {
  return async (method, path, body) => {
    const answer = await line.send({
      method,
      url: `${base ?? `https://api.${settings['region'] ?? ''}`}${path}`,
      headers: { authorization: `Bearer ${token}`, accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (answer.kind === 'failed') return { kind: 'failed', said: answer.message };
    return answer.status === 200 ? { kind: 'fields', fields: jsonIn(answer.body) } : { kind: 'failed', said: saidIn(answer, ...words) };
  };
}

/** Everybody whom the account may see. */
async function readUsers(ask: Asker): Promise<{ kind: 'users'; agents: { id: string; email: string | null; name: string | null }[] } | Failed> {
  const agents: { id: string; email: string | null; name: string | null }[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const answer = await ask('GET', `/api/v2/users?pageSize=${usersOfPage}&pageNumber=${page}&state=active`);
    if (answer.kind === 'failed') return answer;
    const { entities, pageCount } = answer.fields;
    if (!Array.isArray(entities)) return { kind: 'failed', said: 'The list of users has no entities.' };
    for (const one of entities as Record<string, unknown>[]) {
      const { email, id, name } = one;
      if (typeof id === 'string') agents.push({ id, email: typeof email === 'string' ? email : null, name: typeof name === 'string' ? name : null });
    }
    if (typeof pageCount !== 'number' || page >= pageCount) break;
  }
  return { kind: 'users', agents };
}

async function openChannel(ask: Asker, settings: AccountSettings, base: string | null, users: readonly { id: string }[]): Promise<{ kind: 'channel'; url: string } | Failed> {
  const channel = await ask('POST', '/api/v2/notifications/channels', {});
  if (channel.kind === 'failed') return channel;
  const { connectUri, id } = channel.fields;
  const isTheirs = typeof connectUri === 'string' && (base === null ? isOfRegion(connectUri, settings['region'] ?? '') : URL.canParse(connectUri));
  if (typeof id !== 'string' || !isTheirs) return { kind: 'failed', said: 'The channel is at no address of the region.' };
  const topics = users.flatMap((user) => [`v2.users.${user.id}.conversations.calls`, `v2.users.${user.id}.activity`]);
  const subscribed = await ask('POST', `/api/v2/notifications/channels/${encodeURIComponent(id)}/subscriptions`, topics.map((topic) => ({ id: topic })));
  return subscribed.kind === 'failed' ? subscribed : { kind: 'channel', url: connectUri };
}

function isOfRegion(uri: string, region: string): boolean {
  const url = URL.canParse(uri) ? new URL(uri) : null;
  return url?.protocol === 'wss:' && url.hostname.endsWith(`.${region}`);
}

function queueOf(settings: AccountSettings): { callFromQueueId?: string } {
  const queue = settings['queue_id'] ?? '';
  return queue === '' ? {} : { callFromQueueId: queue };
}

function read(answer: { status: number; body: string }): DialVerdict {
  if (answer.status < 200 || answer.status >= 300) return verdictOf(answer, words);
  const { id } = jsonIn(answer.body);
  return typeof id === 'string' && id !== '' ? { kind: 'accepted', callId: id } : { kind: 'unknown', said: 'The answer has no id of a conversation.' };
}

async function askForToken(line: AccountLine, settings: AccountSettings, base: string | null): Promise<GotToken> {
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
