import type { RequestHandler, Response } from 'express';
import type { DemoDelivery } from '../../contract/demo.ts';
import { adminToken } from '../../domain/access.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { refuse } from '../../domain/outcome.ts';
import { sendProblem } from '../../http/answers.ts';
import { authenticate } from '../../http/authentication.ts';
import type { ServeOptions } from '../../http/serveRoute.ts';
import type { Clock } from '../../ports/clock.ts';

/** Of all companies together; the oldest go first. */
const keepAtMost = 100;
const keepCharacters = 8 * 1024 * 1024;

/** The webhooks that arrived last, in memory. */
export interface Inbox {
  /** Keeps a delivery and shows it to those who watch the company's. */
  add(companyId: CompanyId, delivery: Omit<DemoDelivery, 'sequence'>): void;
  /**
   * Shows the company's deliveries whose sequence is above `after`: first those that are kept, then each as it arrives.
   * The result ends it.
   */
  watch(companyId: CompanyId, after: number, show: (delivery: DemoDelivery) => void): () => void;
}

export function createInbox(clock: Clock): Inbox {
  let kept: { companyId: CompanyId; delivery: DemoDelivery }[] = [];
  // Above all that pages have seen of the gateway before this start.
  let sequence = clock.now();
  const watchers = new Set<{ companyId: CompanyId; show: (delivery: DemoDelivery) => void }>();

  function trim(): void {
    let characters = 0;
    let count = 0;
    for (const { delivery } of kept.toReversed()) {
      characters += delivery.body.length;
      if (count === keepAtMost || characters > keepCharacters) break;
      count += 1;
    }
    kept = kept.slice(kept.length - count);
  }

  return {
    add(companyId, arrived) {
      sequence += 1;
      const delivery = { sequence, ...arrived };
      kept.push({ companyId, delivery });
      trim();
      for (const watcher of watchers) if (watcher.companyId === companyId) watcher.show(delivery);
    },
    watch(companyId, after, show) {
      for (const one of kept) if (one.companyId === companyId && one.delivery.sequence > after) show(one.delivery);
      const watcher = { companyId, show };
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
  };
}

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
      if (open.size >= maxStreams)
        return sendProblem(response, refuse('rate_limited', 'Too many pages watch the inbox.'));
      const { companyId } = caller.value;
      response.locals.record.companyId = companyId;

      begin(response);
      open.add(response);
      const unwatch = inbox.watch(companyId, lastSeen(request.headers['last-event-id']), (delivery) =>
        write(response, delivery),
      );
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
