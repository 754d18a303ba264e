import type { RequestHandler, Response } from 'express';
import type { DemoDelivery } from '../../contract/demo.ts';
import { refuse } from '../../domain/outcome.ts';
import { adminToken } from '../../http/accessRules.ts';
import { sendProblem } from '../../http/answers.ts';
import { authenticate } from '../../http/authentication.ts';
import type { ServeOptions } from '../../http/serveRoute.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Inbox } from './inbox.ts';

/** A line in between tells proxies and the page that it is alive; and then the token is looked at again. */
const heartbeatMs = 15_000;
const maxStreams = 50;
/** Unsent bytes per page; beyond it the connection is cut. */
const maxWaitingBytes = 16 * 1024 * 1024;

/** Streams that pages read: they end with `closeAll`, with their token, or with the page. */
export interface DeliveryStreams {
  handler(options: ServeOptions): RequestHandler;
  closeAll(): void;
}

export function createDeliveryStreams(inbox: Inbox): DeliveryStreams {
  const open = new Set<Response>();
  return {
    handler: (options) => async (request, response) => {
      const isStillAdmin = () => authenticate(adminToken, request.headers, options.authenticate, options.platformToken);
      const caller = await isStillAdmin();
      if (caller.kind === 'refused') return sendProblem(response, caller);
      if (caller.value === null) throw new Error('the access rule asks for an agent');
      if (open.size >= maxStreams) return sendProblem(response, refuse('rate_limited', 'Too many pages watch the inbox.'));
      const { companyId } = caller.value;
      response.locals.record.companyId = companyId;

      begin(response);
      open.add(response);
      const unwatch = inbox.watch(companyId, lastSeen(request.headers['last-event-id']), (delivery) => write(response, delivery));
      const cancelHeartbeat = repeat(options.services.clock, heartbeatMs, async () => {
        response.write(':\n\n');
        if ((await isStillAdmin()).kind === 'refused') response.end();
      });
      response.once('close', () => {
        open.delete(response);
        unwatch();
        cancelHeartbeat();
      });
    },
    closeAll() {
      for (const response of open) response.end();
    },
  };
}

function begin(response: Response): void {
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.flushHeaders();
}

function write(response: Response, delivery: DemoDelivery): void {
  if (response.writableLength > maxWaitingBytes) {
    response.destroy();
    return;
  }
  response.write(`id: ${String(delivery.sequence)}\nevent: delivery\ndata: ${JSON.stringify(delivery)}\n\n`);
}

function lastSeen(header: string | string[] | undefined): number {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : 0;
}

/** The result ends it. What fails once, is tried again. */
function repeat(clock: Clock, ms: number, action: () => Promise<void>): () => void {
  let cancel = clock.after(ms, turn);
  let isOver = false;
  function turn(): void {
    void action()
      .catch(() => {})
      .then(() => {
        if (!isOver) cancel = clock.after(ms, turn);
      });
  }
  return () => {
    isOver = true;
    cancel();
  };
}
