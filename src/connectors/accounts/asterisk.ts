import { basic } from '../../providers/requests.ts';
import {
  anyText,
  type AccountLine,
  type AccountRequest,
  type AccountSettings,
  type DialVerdict,
  jsonIn,
  type PlatformAccount,
  type Trouble,
  verdictOf,
  verdictOfSilence,
} from './platformAccount.ts';

const dayMs = 86_400_000;
/** How long the agent's telephone rings before it is given up. Seconds. */
const ringSeconds = 30;
/** What an answer of its interface says. */
const words = ['message', 'error'];
/** The ids of channels that clicks have Asterisk make begin so. */
const clicksBegin = 'readyline-';

/** Whether a channel was made for a click. */
export function isClicks(channelId: string): boolean {
  return channelId.startsWith(clicksBegin);
}

/** Names in one setting. */
export function namesOf(setting: string | undefined): ReadonlySet<string> {
  return new Set((setting ?? '').split(/[\s,;]+/).filter((name) => name !== ''));
}

/**
 * Asterisk rings the agent's endpoint and, once that answers, goes on in the dialplan to the customer:
 * `POST /ari/channels` of its REST interface. The id of the channel is ours, so that a dial that may have been made is
 * found again, and never made twice: Asterisk refuses a second channel of that id (409).
 */
export const asteriskAccount: PlatformAccount = {
  fields: [
    { ...anyText, name: 'url', isUrl: true, example: 'https://pbx.example.com:8089' },
    { ...anyText, name: 'user', example: 'readyline' },
    { ...anyText, name: 'password', isSecret: true, example: '' },
    { ...anyText, name: 'context', example: 'from-internal' },
    { ...anyText, name: 'technology', isOptional: true, choices: ['PJSIP', 'SIP', 'IAX2'], example: 'PJSIP' },
    { ...anyText, name: 'prefix', isOptional: true, example: '00' },
    { ...anyText, name: 'trunks', isOptional: true, example: 'provider, fallback' },
  ],
  agentFields: [],
  async dial(line, settings, { agent, phone, callId }) {
    const channelId = clicksBegin + callId;
    const answer = await line.send(originate(settings, agent.id, phone, channelId));
    if (answer.kind === 'failed') return confirm(line, settings, channelId, verdictOfSilence(answer), false);
    if (answer.status === 200) return read(answer.body, channelId);
    const verdict = verdictOf(answer, words);
    // A conflict is about our own channel: there is one, or was.
    const isConflict = answer.status === 409;
    return isConflict || verdict.kind === 'unknown'
      ? confirm(line, settings, channelId, verdict, !isConflict)
      : verdict;
  },
  setState: null,
  check: (line, settings) => ping(line, settings),
  listening: {
    async begin(line, settings) {
      const trouble = await ping(line, settings);
      if (trouble !== null) return { kind: 'failed', said: trouble.said };
      const { url, headers } = ask(settings, 'GET', '/ari/events?app=readyline&subscribeAll=true');
      return { kind: 'sockets', sockets: [{ url: url.replace(/^http/, 'ws'), headers }], agents: [], again: null };
    },
    renewMs: dayMs,
    againMs: dayMs,
  },
};

async function ping(line: AccountLine, settings: AccountSettings): Promise<Trouble | null> {
  const answer = await line.send(ask(settings, 'GET', '/ari/asterisk/ping'));
  if (answer.kind === 'failed') return { kind: 'unavailable', said: answer.message };
  return answer.status === 200 ? null : { kind: 'unavailable', said: verdictOf(answer, words).said };
}

function originate(settings: AccountSettings, agent: string, phone: string, channelId: string): AccountRequest {
  const parameters = new URLSearchParams({
    endpoint: `${settings['technology'] ?? 'PJSIP'}/${agent}`,
    extension: dialed(phone, settings['prefix'] ?? ''),
    context: settings['context'] ?? '',
    priority: '1',
    callerId: phone,
    timeout: String(ringSeconds),
    channelId,
  });
  return ask(settings, 'POST', `/ari/channels?${parameters}`);
}

/** As the dialplan takes it: with a plus, or with what stands in its place. */
function dialed(phone: string, prefix: string): string {
  return prefix === '' ? phone : phone.replace('+', prefix);
}

function ask(settings: AccountSettings, method: 'GET' | 'POST', path: string) {
  const headers = { ...basic(settings['user'] ?? '', settings['password'] ?? ''), accept: 'application/json' };
  return { method, url: (settings['url'] ?? '').replace(/\/+$/, '') + path, headers };
}

function read(body: string, channelId: string): DialVerdict {
  return jsonIn(body)['id'] === channelId
    ? { kind: 'accepted', callId: channelId }
    : { kind: 'unknown', said: 'The answer names another channel.' };
}

/**
 * Whether the channel is there after all: of an answer that may have come after the call was begun,
 * and where none came.
 */
async function confirm(
  line: AccountLine,
  settings: AccountSettings,
  channelId: string,
  verdict: DialVerdict,
  isAnswered: boolean,
): Promise<DialVerdict> {
  if (verdict.kind === 'accepted' || verdict.kind === 'unavailable') return verdict;
  const answer = await line.send(ask(settings, 'GET', `/ari/channels/${channelId}`));
  if (answer.kind === 'answer' && answer.status === 200) return read(answer.body, channelId);
  // What Asterisk has answered it has done with. A request without an answer may still be on its way.
  const isGone = isAnswered && answer.kind === 'answer' && answer.status === 404;
  return { kind: isGone ? 'refused' : 'unknown', said: verdict.said };
}
