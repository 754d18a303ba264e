import type { PlatformAnswer } from '../../../../src/contract/platform.ts';
import type { SessionTelephony } from '../../../../src/contract/telephony.ts';
import { whenOnline } from '../../lib/gateway/whenOnline.ts';
import type { IceServers } from '../../lib/sip/iceServers.ts';
import { loadAgain } from '../../lib/loadAgain.ts';
import { HangUpStorage, type KeyValueStore } from '../../lib/sip/pendingHangUps.ts';
import type { Phone } from '../../lib/sip/phone.ts';
import { DeskPhone, NoPhone } from '../../lib/sip/silentPhones.ts';
import { SipPhone } from '../../lib/sip/sipPhone.ts';
import { AgentWorkplace } from './agentWorkplace.ts';
import { Departure } from './departure.ts';
import { LeftDialogStorage } from './dialogStorage.ts';
import type { Embedding, EmbeddingNeeds } from './embedding.ts';
import { SessionOwner } from './sessionOwner.ts';
import { createSounds } from './sounds.ts';
import { systemTimers } from './timers.ts';
import type { Workplace } from './workplace.ts';

type WorkplaceOptions = {
  /** Where the gateway is, e.g. `https://gateway.example.com`. */
  url: string;
  /** From the log-in. */
  token: string;
  /** Whose it is. */
  agentId: string;
};

/** One for the page, whoever is logged in: the page around learns too that nobody is. */
const embedding = embeddingOfThisPage();

/** Opens the workplace of an agent in this tab, and finds what the page before a reload has left. */
export function createWorkplace({ url, token, agentId }: WorkplaceOptions): Workplace {
  const owner = new SessionOwner(agentId);
  const shared = sharedStore();
  const hangUps = new HangUpStorage(shared, agentId);
  const departure = new Departure();
  const workplace = new AgentWorkplace({
    url,
    token,
    session: () => owner.claim(),
    makePhone: (telephony, servers) => makePhone(telephony, servers, hangUps),
    store: sessionStorage,
    left: new LeftDialogStorage(shared, agentId),
    channel: typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('readyline.voice'),
    timers: systemTimers,
    sounds: createSounds(),
    onSession: (session) => owner.take(session),
    onLeft: ({ callId, session, token: current }) => {
      const headers = { authorization: `Bearer ${current}`, 'content-type': 'application/json' };
      // A gateway that does not hear of it gives the softphone up in its own time.
      fetch(`${url}/api/calls/${callId}/left`, {
        method: 'POST',
        keepalive: true,
        headers,
        body: JSON.stringify({ session }),
      }).catch(() => {});
    },
    onEnd: (how) => {
      removeEventListener('beforeunload', askFirst);
      removeEventListener('pagehide', leave);
      departure.stop();
      endOnline();
      hasEnded = true;
      detach?.();
      if (how === 'signed_out') owner.forget();
      else owner.release();
    },
  });
  const askFirst = (event: BeforeUnloadEvent) => {
    if (workplace.isNeeded) event.preventDefault();
  };
  const leave = () => {
    workplace.close({ isForGood: departure.isForGood });
    // A page that the browser brings back from its memory has left.
    addEventListener('pageshow', () => location.reload(), { once: true });
  };
  addEventListener('beforeunload', askFirst);
  addEventListener('pagehide', leave);
  const endOnline = whenOnline(() => workplace.hurry());
  let detach: (() => void) | null = null;
  let hasEnded = false;
  void embedding?.then((one) => {
    if (!hasEnded) detach = one.attach(workplace);
  });
  void workplace.start();
  return workplace;
}

function makePhone(telephony: SessionTelephony, servers: IceServers, hangUps: HangUpStorage): Phone {
  switch (telephony.mode) {
    case 'sip':
      return new SipPhone(telephony, servers, hangUps);
    case 'desk_phone':
      return new DeskPhone(telephony.scheme, follow);
    case 'none':
      return new NoPhone(telephony.why);
  }
}

/** As a click on the link would: the page stays. */
function follow(link: string): void {
  const anchor = document.createElement('a');
  anchor.href = link;
  anchor.click();
}

/** What all tabs of this browser share. Where the browser refuses it, as to some frames, this page has its own. */
function sharedStore(): KeyValueStore {
  try {
    return localStorage;
  } catch {
    const kept = new Map<string, string>();
    return {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    };
  }
}

/** Doubled at every try. */
const againAfterMs = { first: 1_000, most: 60_000 };

/** Speaks with the page that holds this one in an iframe; null: this page stands alone. */
function embeddingOfThisPage(): Promise<Embedding> | null {
  if (window.parent === window) return null;
  // What is said before it is loaded is heard then.
  const early: MessageEvent[] = [];
  let hear: Parameters<EmbeddingNeeds['onMessage']>[0] = (event) => void early.push(event as MessageEvent);
  window.addEventListener('message', (event) => hear(event));
  const origins = allowedOrigins();
  return loadAgain(() => import('./embedding.ts')).then(
    (loaded) =>
      new loaded.Embedding({
        parent: window.parent,
        parentOrigin: originAround(),
        allowedOrigins: origins,
        onMessage: (listener) => {
          hear = listener;
          for (const event of early.splice(0)) listener(event);
        },
      }),
  );
}

/** Not every browser tells who is around; whoever speaks first is known then. */
function originAround(): string | null {
  const ancestors = location.ancestorOrigins as DOMStringList | undefined;
  const told = ancestors?.[0] ?? document.referrer;
  return told === '' ? null : new URL(told).origin;
}

/** Asks until it is told: a page that gave up would be deaf to the one around it for as long as it is open. */
async function allowedOrigins(): Promise<readonly string[]> {
  for (let tries = 0; ; tries += 1) {
    try {
      const answer = await fetch('/api/public/platform');
      if (answer.ok) return [...((await answer.json()) as PlatformAnswer).embed_origins, location.origin];
    } catch {
      // No answer, or not one of the gateway's.
    }
    const waitMs = Math.min(againAfterMs.first * 2 ** tries, againAfterMs.most);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
