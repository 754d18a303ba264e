import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RequestHandler, Router } from 'express';
import { demoInboxPath } from '../contract/demo.ts';
import { named } from '../http/requestLog.ts';
import { type ServeOptions, serveRoute } from '../http/serveRoute.ts';
import type { UpgradeHandler } from '../http/upgradeHandler.ts';
import type { Clock } from '../ports/clock.ts';
import type { DemoCarrier } from '../ports/telephony.ts';
import { createCarrier } from './carrier/carrier.ts';
import { type OpenMedia, weriftMedia } from './carrier/media.ts';
import { openSipWebSocket } from './carrier/sipWebSocket.ts';
import type { Timings } from './carrier/takeCall.ts';
import { createDeliveryStreams, createInbox } from './inspector/inbox.ts';
import { takeWebhook } from './inspector/takeWebhook.ts';
import { demoRoutes } from './demoRoutes.ts';

/** What a newcomer needs to try the product on one machine: a carrier that answers, and a receiver of webhooks. */
export interface DemoServer {
  /** Null: without the optional package werift there is no carrier. */
  readonly carrier: DemoCarrier | null;
  /** Everything under `/demo` but the page. */
  handler(options: ServeOptions): RequestHandler;
  /**
   * Lets telephones in, at the gateway's own address.
   * @param upgradeHandler of that server
   * @param isAllowed whether the page that asks may connect, by its Origin
   */
  open(server: Server, upgradeHandler: UpgradeHandler, isAllowed: (request: IncomingMessage) => boolean): void;
  close(): Promise<void>;
}

type Needs = {
  /** The machine's: audio knows no other. */
  clock: Clock;
  say: (line: string) => void;
  onProblem: (message: string, error: unknown) => void;
  openMedia?: OpenMedia | null;
  timings?: Partial<Timings>;
};

export function createDemoServer({
  clock,
  say,
  onProblem,
  openMedia = weriftMedia(),
  timings = {},
}: Needs): DemoServer {
  if (openMedia === null) say('the demo has no carrier: the optional package werift is not installed');
  const carrier = openMedia === null ? null : createCarrier({ clock, openMedia, onProblem, timings });
  const inbox = createInbox(clock);
  const streams = createDeliveryStreams(inbox);
  let server: Server | null = null;
  let shut: (() => Promise<void>) | null = null;

  return {
    carrier,
    handler(options) {
      const router = Router();
      router.post(demoInboxPath, named(demoInboxPath), takeWebhook(options.services, inbox));
      router.get(`${demoInboxPath}/events`, named(`${demoInboxPath}/events`), streams.handler(options));
      for (const one of demoRoutes({ carrier, url: () => addressOf(server) })) {
        router[one.method](one.path, serveRoute(one, options));
      }
      return router;
    },
    open(opened, upgradeHandler, isAllowed) {
      server = opened;
      if (carrier !== null) shut = openSipWebSocket({ upgradeHandler, carrier, isAllowed });
    },
    async close() {
      streams.closeAll();
      await shut?.();
    },
  };
}

/** As this machine reaches it. */
function addressOf(server: Server | null): string {
  const bound = server?.address() ?? null;
  if (bound === null || typeof bound === 'string') throw new Error('the gateway does not listen yet');
  const { address, port }: AddressInfo = bound;
  return `http://${address.includes(':') ? `[${address}]` : address}:${String(port)}`;
}
