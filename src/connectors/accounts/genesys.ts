import type { Json } from '../../providers/answers.ts';
import { tokenIn } from '../../providers/oauth.ts';
import { basic, bearer, get, sendForm, sendJson } from '../../providers/requests.ts';
import { stateName } from '../reading.ts';
import {
  anyText,
  type AccountLine,
  type AccountRequest,
  type AccountSettings,
  checkToken,
  type DialVerdict,
  everyToken,
  type HeardAgain,
  jsonIn,
  type ListedAgent,
  type PlatformAccount,
  type PlatformGrant,
  readTaken,
  saidIn,
  sendByToken,
  type Trouble,
  verdictOf,
  verdictOfSilence,
} from './platformAccount.ts';

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

/** What a reason for being Not Ready is there; another, or none, is `Available`, with which no calls of queues come. */
const presenceOfReason: Readonly<Record<string, string>> = {
  break: 'Break',
  meal: 'Meal',
  meeting: 'Meeting',
  training: 'Training',
};

/**
 * Genesys Cloud sets a user's presence (`PATCH /api/v2/users/{userId}/presences/purecloud`), and calls on behalf of a
 * user (`POST /api/v2/conversations/calls/user/{userId}`), with a token of client credentials whose role has
 * `presence:userPresence:edit` and `presence:presenceDefinition:view` for the one, `conversation:call:add` and
 * `conversation:agentlessCall:add` for the other. The answer to a call has the id of the conversation, which its events
 * name.
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
    const path = `/api/v2/conversations/calls/user/${encodeURIComponent(agent.id)}`;
    const body = { phoneNumber: phone, ...queueOf(settings), attributes: { readyline_call_id: callId } };
    const sent = await sendByToken(line, grantOf(settings, base), (token) =>
      askBy(settings, base, token, 'POST', path, body),
    );
    if (sent.kind !== 'sent') return sent;
    return sent.answer.kind === 'failed' ? verdictOfSilence(sent.answer) : read(sent.answer);
  },
  async setState(line, settings, { agent, reason, state }, base) {
    const wanted = state === 'ready' ? 'On Queue' : (presenceOfReason[reason ?? ''] ?? 'Available');
    const found = await findPresence(line, settings, base, wanted);
    if (found.kind !== 'presence') return found;
    const path = `/api/v2/users/${encodeURIComponent(agent.id)}/presences/purecloud`;
    return readTaken(
      await line.send(askBy(settings, base, found.token, 'PATCH', path, { presenceDefinition: { id: found.id } })),
      words,
    );
  },
  check: (line, settings, base) => checkToken(line, grantOf(settings, base)),
  listening: {
    async begin(line, settings, base) {
      const got = await line.token(grantOf(settings, base), everyToken);
      if (got.kind !== 'token') return { kind: 'failed', said: got.said };
      const ask = askerOf(line, settings, base, got.token);
      const users = await readUsers(ask);
      if (users.kind === 'failed') return users;
      const channels: Channel[] = [];
      for (let first = 0; first < users.agents.length; first += usersOfChannel) {
        const channel = await openChannel(ask, settings, base, users.agents.slice(first, first + usersOfChannel));
        if (channel.kind === 'failed') return channel;
        channels.push(channel);
      }
      const again = (later: AccountLine) => hearNewUsers(later, settings, base, channels);
      return {
        kind: 'sockets',
        sockets: channels.map(({ url }) => ({ url, headers: {} })),
        agents: users.agents,
        again,
      };
    },
    // A channel ends after 24 hours.
    renewMs: 23 * 3_600_000,
    againMs: 5 * 60_000,
  },
};

/** Has the users heard who have come since the channels were opened, as long as these have room. */
async function hearNewUsers(
  line: AccountLine,
  settings: AccountSettings,
  base: string | null,
  channels: readonly Channel[],
): Promise<HeardAgain> {
  const got = await line.token(grantOf(settings, base));
  if (got.kind !== 'token') return { kind: 'failed', said: got.said };
  const ask = askerOf(line, settings, base, got.token);
  const users = await readUsers(ask);
  if (users.kind === 'failed') return users;
  const agents = users.agents.filter(({ id }) => channels.every(({ heard }) => !heard.has(id)));
  const room = channels.reduce((sum, { heard }) => sum + usersOfChannel - heard.size, 0);
  if (agents.length > room) return { kind: 'renew' };
  const left = [...agents];
  for (const channel of channels) {
    const next = left.splice(0, usersOfChannel - channel.heard.size);
    const subscribed = next.length === 0 ? null : await subscribe(ask, channel, next);
    if (subscribed !== null) return subscribed;
  }
  return { kind: 'agents', agents };
}

/** A channel takes 1,000 topics, of which each user has two. */
const usersOfChannel = 500;
/** Users of a page, and pages: Genesys has up to 20 channels for an application. */
const usersOfPage = 500;
const mostPages = 20;

type Failed = { kind: 'failed'; said: string };
/** `heard`: the users of whom it tells. */
type Channel = { kind: 'channel'; id: string; url: string; heard: Set<string> };
type Asker = (
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: Json,
) => Promise<{ kind: 'fields'; fields: Readonly<Record<string, unknown>> } | Failed>;

function askBy(
  settings: AccountSettings,
  base: string | null,
  token: string,
  ...[method, path, body]: Parameters<Asker>
): AccountRequest {
  const url = `${base ?? `https://api.${settings['region'] ?? ''}`}${path}`;
  return method === 'GET' ? get(url, bearer(token)) : sendJson(method, url, body ?? {}, bearer(token));
}

/** Presences of a page, as all published samples ask for them, and pages. */
const presencesOfPage = 100;
const mostPresencePages = 10;

/**
 * The company's own presence for a system presence: that which Genesys made, else one that the company made,
 * as far as it is in use. Changes nothing there.
 */
async function findPresence(
  line: AccountLine,
  settings: AccountSettings,
  base: string | null,
  wanted: string,
): Promise<{ kind: 'presence'; id: string; token: string } | Trouble> {
  let own: { id: string; token: string } | null = null;
  for (let page = 1; page <= mostPresencePages; page += 1) {
    const path = `/api/v2/presencedefinitions?pageSize=${presencesOfPage}&pageNumber=${page}`;
    const listed = await sendByToken(line, grantOf(settings, base), (token) =>
      askBy(settings, base, token, 'GET', path),
    );
    if (listed.kind !== 'sent') return listed;
    const { answer, token } = listed;
    if (answer.kind === 'failed') return { kind: 'unavailable', said: answer.message };
    if (answer.status !== 200)
      return { kind: 'unavailable', said: `The presences could not be read: ${saidIn(answer, ...words)}` };
    const { entities, pageCount } = jsonIn(answer.body);
    for (const { deactivated, id, primary, systemPresence } of (Array.isArray(entities) ? entities : []) as Record<
      string,
      unknown
    >[]) {
      if (
        typeof id !== 'string' ||
        deactivated === true ||
        typeof systemPresence !== 'string' ||
        stateName(systemPresence) !== stateName(wanted)
      )
        continue;
      if (primary === true) return { kind: 'presence', id, token };
      own ??= { id, token };
    }
    if (typeof pageCount !== 'number' || page >= pageCount) break;
  }
  return own === null ? { kind: 'unavailable', said: `There is no presence ${wanted}.` } : { kind: 'presence', ...own };
}

function askerOf(line: AccountLine, settings: AccountSettings, base: string | null, token: string): Asker {
  return async (method, path, body) => {
    const answer = await line.send(askBy(settings, base, token, method, path, body));
    if (answer.kind === 'failed') return { kind: 'failed', said: answer.message };
    return answer.status === 200
      ? { kind: 'fields', fields: jsonIn(answer.body) }
      : { kind: 'failed', said: saidIn(answer, ...words) };
  };
}

/** Everybody whom the account may see. */
async function readUsers(ask: Asker): Promise<{ kind: 'users'; agents: ListedAgent[] } | Failed> {
  const agents: ListedAgent[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const answer = await ask('GET', `/api/v2/users?pageSize=${usersOfPage}&pageNumber=${page}&state=active`);
    if (answer.kind === 'failed') return answer;
    const { entities, pageCount } = answer.fields;
    if (!Array.isArray(entities)) return { kind: 'failed', said: 'The list of users has no entities.' };
    for (const one of entities as Record<string, unknown>[]) {
      const { email, id, name } = one;
      if (typeof id === 'string') {
        agents.push({
          id,
          email: typeof email === 'string' ? email : null,
          name: typeof name === 'string' ? name : null,
        });
      }
    }
    if (typeof pageCount !== 'number' || page >= pageCount) break;
  }
  return { kind: 'users', agents };
}

async function openChannel(
  ask: Asker,
  settings: AccountSettings,
  base: string | null,
  users: readonly { id: string }[],
): Promise<Channel | Failed> {
  const opened = await ask('POST', '/api/v2/notifications/channels', {});
  if (opened.kind === 'failed') return opened;
  const { connectUri, id } = opened.fields;
  const isTheirs =
    typeof connectUri === 'string' &&
    (base === null ? isOfRegion(connectUri, settings['region'] ?? '') : URL.canParse(connectUri));
  if (typeof id !== 'string' || !isTheirs)
    return { kind: 'failed', said: 'The channel is at no address of the region.' };
  const channel: Channel = { kind: 'channel', id, url: connectUri, heard: new Set() };
  return (await subscribe(ask, channel, users)) ?? channel;
}

/** Adds to what a channel tells. Null: done. */
async function subscribe(ask: Asker, { heard, id }: Channel, users: readonly { id: string }[]): Promise<Failed | null> {
  const topics = users.flatMap((user) => [`v2.users.${user.id}.conversations.calls`, `v2.users.${user.id}.activity`]);
  const subscribed = await ask(
    'POST',
    `/api/v2/notifications/channels/${encodeURIComponent(id)}/subscriptions`,
    topics.map((topic) => ({ id: topic })),
  );
  if (subscribed.kind === 'failed') return subscribed;
  for (const user of users) heard.add(user.id);
  return null;
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
  return typeof id === 'string' && id !== ''
    ? { kind: 'accepted', callId: id }
    : { kind: 'unknown', said: 'The answer has no id of a conversation.' };
}

function grantOf(settings: AccountSettings, base: string | null): PlatformGrant {
  const url = `${base ?? `https://login.${settings['region'] ?? ''}`}/oauth/token`;
  const client = basic(settings['client_id'] ?? '', settings['client_secret'] ?? '');
  return {
    tokenRequest: () => sendForm(url, { grant_type: 'client_credentials' }, client),
    parseToken: (response) => tokenIn(response),
    isShared: false,
    refused: (answer) => ({
      kind: 'unavailable',
      said: `The credentials were refused: ${saidIn(answer, ...words)}`,
    }),
  };
}
