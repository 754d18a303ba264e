import type { CrmAccount, CrmAnswer } from '../../../ports/crm.ts';
import type { LoggedAttempt } from '../../../ports/outbox.ts';
import type { CrmRequest, CrmResponse } from '../../../providers/provider.ts';
import type { Services } from '../../services.ts';

/** For one request, its turn included. Milliseconds. */
const withinMs = 15_000;
/** Of a request's or an answer's body, for the log. Bytes of UTF-8. */
const maxBody = 16_384;
/** Response headers that may hold secrets. */
const hidden = new Set(['set-cookie', 'authorization', 'proxy-authorization']);

/** Sends one request that nobody waits for, and keeps it for the log. */
export type Exchange = (request: CrmRequest) => Promise<CrmAnswer>;

/** What the log shows of the exchange that decided an attempt. The headers are without those that authenticate. */
export type Shown = Pick<
  LoggedAttempt,
  'method' | 'url' | 'requestHeaders' | 'requestBody' | 'statusCode' | 'responseHeaders' | 'responseBody'
>;

export const nothingShown: Shown = {
  method: null,
  url: null,
  requestHeaders: {},
  requestBody: null,
  statusCode: null,
  responseHeaders: null,
  responseBody: null,
};

/** Sends requests to a CRM one after the other; `shown` tells of the latest that was sent. */
export function recordExchanges(
  { crm }: Pick<Services, 'crm'>,
  account: CrmAccount,
): { exchange: Exchange; shown: () => Shown } {
  let latest = nothingShown;
  return {
    async exchange(request) {
      const answer = await crm.send(account, request, { isLive: false, withinMs });
      const isSent = answer.kind === 'answer' || answer.isUnsent !== true;
      if (isSent) latest = { ...shownRequest(request), ...shownResponse(answer.response ?? null) };
      return answer;
    },
    shown: () => latest,
  };
}

function shownRequest({
  method,
  url,
  headers,
  body,
}: CrmRequest): Pick<Shown, 'method' | 'url' | 'requestHeaders' | 'requestBody'> {
  return { method, url, requestHeaders: headers ?? {}, requestBody: body === undefined ? null : beginningOf(body) };
}

function shownResponse(response: CrmResponse | null): Pick<Shown, 'statusCode' | 'responseHeaders' | 'responseBody'> {
  if (response === null) return { statusCode: null, responseHeaders: null, responseBody: null };
  const headers = Object.fromEntries(Object.entries(response.headers).filter(([name]) => !hidden.has(name)));
  return { statusCode: response.status, responseHeaders: headers, responseBody: beginningOf(response.body) };
}

/** As many whole characters as are kept. */
function beginningOf(text: string): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBody));
  return text.slice(0, read);
}
