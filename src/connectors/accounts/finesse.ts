import { basic } from '../../providers/requests.ts';
import {
  type AccountAgent,
  agentNotSet,
  anyText,
  type AccountRequest,
  type AccountResponse,
  type AccountSettings,
  digitsOf,
  type PlatformAccount,
  readAccepted,
  readTaken,
  saidIn,
  type Trouble,
  verdictOfSilence,
  verdictOfStatus,
} from './platformAccount.ts';

/**
 * Finesse sets states (`PUT /finesse/api/User/{id}`) and dials (`POST /finesse/api/User/{id}/Dialogs`)
 * for who is signed in, with that agent's own password, and extension; both are answered by 202.
 * How it went on is told by its notifications alone, with the id of the dialog.
 */
export const finesseAccount: PlatformAccount = {
  fields: [
    { ...anyText, name: 'url', isUrl: true, example: 'https://finesse.example.com:8445' },
    { ...anyText, name: 'prefix', isOptional: true, example: '9' },
  ],
  agentFields: [
    { ...anyText, name: 'extension', example: '1001001' },
    { ...anyText, name: 'password', isSecret: true, example: '' },
  ],
  async dial(line, settings, { agent, phone }) {
    if (agent.settings === null) return agentNotSet;
    const to = digitsOf(phone, settings['prefix']);
    const from = escaped(agent.settings['extension'] ?? '');
    const addresses = `<fromAddress>${from}</fromAddress><toAddress>${escaped(to)}</toAddress>`;
    const body = `<Dialog><requestedAction>MAKE_CALL</requestedAction>${addresses}</Dialog>`;
    const answer = await line.send(ask(settings, agent, '/Dialogs', { method: 'POST', xml: body }));
    return answer.kind === 'failed' || answer.status === 202 ? readAccepted(answer, []) : troubleOf(answer);
  },
  async setState(line, settings, { agent, state }) {
    if (agent.settings === null) return agentNotSet;
    const answer = await line.send(
      ask(settings, agent, '', { method: 'PUT', xml: `<User><state>${state.toUpperCase()}</state></User>` }),
    );
    return answer.kind === 'failed' || answer.status === 202 ? readTaken(answer, []) : troubleOf(answer);
  },
  async check(line, settings, _base, agent) {
    if (agent?.settings == null) return agentNotSet;
    const answer = await line.send(ask(settings, agent, ''));
    if (answer.kind === 'failed') return { kind: 'unavailable', said: verdictOfSilence(answer).said };
    return answer.status === 200 ? null : { kind: 'unavailable', said: saidOf(answer) };
  },
  listening: null,
};

/** A password that is not taken is about this agent alone. */
function troubleOf(answer: Extract<AccountResponse, { kind: 'answer' }>): Trouble {
  return answer.status === 401
    ? { kind: 'refused', said: saidOf(answer) }
    : verdictOfStatus(answer.status, saidOf(answer));
}

function ask(
  settings: AccountSettings,
  { id, settings: own }: AccountAgent,
  path: string,
  sent?: { method: 'POST' | 'PUT'; xml: string },
): AccountRequest {
  const url = `${(settings['url'] ?? '').replace(/\/+$/, '')}/finesse/api/User/${encodeURIComponent(id)}${path}`;
  const headers = { ...basic(id, own?.['password'] ?? ''), accept: 'application/xml' };
  return sent === undefined
    ? { method: 'GET', url, headers }
    : { method: sent.method, url, headers: { ...headers, 'content-type': 'application/xml' }, body: sent.xml };
}

/** Its errors are XML: `<ApiErrors><ApiError><ErrorType/><ErrorMessage/><ErrorData/>`. */
function saidOf(answer: Extract<AccountResponse, { kind: 'answer' }>): string {
  const [, type] = /<ErrorType>\s*([\w ]{1,100}?)\s*<\/ErrorType>/.exec(answer.body) ?? [];
  return type === undefined ? saidIn(answer) : `${answer.status} ${type}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
