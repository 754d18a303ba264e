import type { Agent, Dispatcher } from 'undici';
import { readLimit } from './answer.ts';

export type Exchange = { origin: string; path: string; headers: Record<string, string>; body: string };
/** What came back. `body`: what was read of it, also where the rest did not come. */
export type Exchanged = { statusCode: number; headers: Dispatcher.ResponseData['headers']; body: Uint8Array[] };
/** Ends an exchange that is under way. */
export type Abandon = (reason: Error) => void;

/**
 * POSTs once and reads the start of the answer. Straight on undici's dispatcher: its `request` makes a stream of every
 * answer and an event target of every deadline, which costs as much as the rest. Once the status has arrived it
 * resolves, whatever becomes of the body: the status is what counts.
 * @param begun gets what ends the exchange early; it then rejects with the reason, unless the status has arrived
 */
export function exchange(agent: Agent, { origin, path, headers, body }: Exchange, begun: (abandon: Abandon) => void): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null;
    let abandoned: Error | null = null;
    let answer: Exchanged | null = null;
    let read = 0;
    const end = (error: Error | null): void => {
      if (answer !== null) resolve(answer);
      else if (error !== null) reject(error);
    };
    begun((reason) => {
      abandoned = reason;
      controller?.abort(reason);
      // One that still waits for a connection is not told before it has one.
      end(reason);
    });
    agent.dispatch({ origin, path, method: 'POST', headers, body }, {
      onRequestStart(own) {
        controller = own;
        if (abandoned !== null) own.abort(abandoned);
      },
      onResponseStart(_controller, statusCode, responseHeaders) {
        if (statusCode >= 200) answer = { statusCode, headers: responseHeaders, body: [] };
      },
      onResponseData(own, chunk) {
        answer?.body.push(chunk);
        read += chunk.length;
        if (read < readLimit) return;
        end(null);
        own.abort(new Error('enough was read'));
      },
      onResponseEnd: () => end(null),
      onResponseError: (_controller, error) => end(error),
    });
  });
}
