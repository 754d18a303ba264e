import { type Dispatcher, request as send } from 'undici';
import type { Clock } from '../../ports/clock.ts';
import type { CrmAnswer, CrmTrouble } from '../../ports/crm.ts';
import type { CrmRequest } from '../../providers/provider.ts';

/** The longest answer that is read. Bytes. */
const maxBytes = 1024 * 1024;

/** Sends one request and reads the whole answer, within the time and 1 MiB. */
export async function exchange(
  { dispatcher, clock }: { dispatcher: Dispatcher; clock: Clock },
  request: CrmRequest,
  withinMs: number,
): Promise<CrmAnswer> {
  const { method, url, headers, body } = request;
  if (withinMs <= 0) return { ...failed(noAnswer('There was no time left to ask.', false)), isUnsent: true };
  const abort = new AbortController();
  const cancel = clock.after(withinMs, () => abort.abort(new Error(`no answer within ${Math.round(withinMs)} ms`)));
  try {
    const answer = await send(url, {
      method,
      headers: { 'user-agent': 'Readyline', ...headers },
      body: body ?? null,
      dispatcher,
      idempotent: isRead(request),
      signal: abort.signal,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        abort.abort();
        return failed(noAnswer('The answer was longer than 1 MiB.', true));
      }
      chunks.push(chunk);
    }
    return {
      kind: 'answer',
      response: {
        status: answer.statusCode,
        headers: flat(answer.headers),
        body: Buffer.concat(chunks).toString('utf8'),
      },
    };
  } catch (error) {
    return failed(noAnswer(reasonOf(error, abort.signal), method !== 'GET' && !isBeforeSending(error)));
  } finally {
    cancel();
  }
}

/**
 * Whether a request may go once more that met a kept connection which was being closed.
 * No other than those that read: a PUT adds a comment at Zendesk, and logs somebody in at a telephony platform.
 */
function isRead({ method, isSearch = false }: CrmRequest): boolean {
  return isSearch || method === 'GET';
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  const reason: unknown = signal.aborted ? signal.reason : error;
  return reason instanceof Error ? reason.message : 'The connection broke.';
}

/** Whether nothing of the request can have arrived: no connection was made. */
function isBeforeSending(error: unknown): boolean {
  // What the guarded connector refuses or cannot reach; `reason` is its own.
  return (
    error instanceof Error &&
    'reason' in error &&
    ['blocked_address', 'dns', 'connect', 'connect_timeout', 'tls'].includes(String(error.reason))
  );
}

export function failed(trouble: CrmTrouble): CrmAnswer & { kind: 'failed' } {
  return { kind: 'failed', trouble };
}

export function noAnswer(message: string, isUnknown: boolean): CrmTrouble {
  return { kind: 'no_answer', message, isUnknown };
}
