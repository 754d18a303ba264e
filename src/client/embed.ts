import type { EmbedMessage, EmbedRequest, EmbedState } from '../contract/embed.ts';
import type { CrmScreenPop } from '../contract/socket.ts';

export type { EmbedState } from '../contract/embed.ts';
export type { CrmScreenPop } from '../contract/socket.ts';

/** What is needed of an `<iframe>`. */
export type SoftphoneFrame = {
  readonly contentWindow: { postMessage(message: unknown, targetOrigin: string): void } | null;
};

type MessageListener = (event: { data: unknown; origin: string; source: unknown }) => void;
/** What is needed of the `window` that holds the iframe. */
export type HostWindow = {
  addEventListener(type: 'message', listener: MessageListener): void;
  removeEventListener(type: 'message', listener: MessageListener): void;
};

export type EmbedOptions = {
  /** Where the softphone page comes from, e.g. `https://gateway.example.com`: nobody else is believed. */
  origin: string;
  /** The page's own `window` unless told. */
  host?: HostWindow;
};

/** Why the softphone did not dial. `code`: one of the gateway's error codes, `not_logged_in`, or `unreachable`. */
export class DialRefused extends Error {
  override readonly name = 'DialRefused';
  readonly code: string;

  constructor(code: string, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** Longer than the softphone waits for its gateway. Milliseconds. */
const answerWithinMs = 15_000;

/** The softphone in an iframe, as the page around it sees it. */
export interface EmbeddedSoftphone {
  /** Null until the softphone has told. */
  readonly state: EmbedState | null;
  /** Dials as if the agent had typed the number. Resolves with the call's id, rejects with `DialRefused`. */
  dial(phoneNumber: string): Promise<string>;
  /** Calls back with the state, now if it is known, and at every change. @returns ends it */
  onState(listener: (state: EmbedState) => void): () => void;
  /**
   * Calls back when a customer is shown to the agent. `repeated`: once more,
   * because the softphone was loaded anew in the middle of the call; the record may be open already. @returns ends it
   */
  onPop(listener: (pop: CrmScreenPop, repeated: boolean) => void): () => void;
  /**
   * Calls back when more is known of the customer who is shown: the CRM has answered (`looking_up` is gone,
   * whether it found somebody or not), or the agent has chosen one of several records. @returns ends it
   */
  onPopChanged(listener: (pop: CrmScreenPop) => void): () => void;
  /** Listens no more. */
  close(): void;
}

/** Speaks with the softphone in an iframe of this page. The gateway has to name this page's origin in EMBED_ORIGINS. */
export function embedSoftphone(iframe: SoftphoneFrame, options: EmbedOptions): EmbeddedSoftphone {
  const host = options.host ?? (globalThis as unknown as HostWindow);
  const origin = new URL(options.origin).origin;
  const stateListeners = new Set<(state: EmbedState) => void>();
  const popListeners = new Set<(pop: CrmScreenPop, repeated: boolean) => void>();
  const changeListeners = new Set<(pop: CrmScreenPop) => void>();
  const dialing = new Map<string, (message: Extract<EmbedMessage, { type: 'readyline:dialed' }>) => void>();
  let state: EmbedState | null = null;
  let requests = 0;
  const say = (request: EmbedRequest) => iframe.contentWindow?.postMessage(request, origin);

  const listener: MessageListener = ({ data, origin: from, source }) => {
    if (from !== origin || source !== iframe.contentWindow || !isMessage(data)) return;
    switch (data.type) {
      case 'readyline:state':
        state = data.state;
        for (const tell of stateListeners) tell(data.state);
        return;
      case 'readyline:pop':
        for (const tell of popListeners) tell(data.pop, data.repeated);
        return;
      case 'readyline:pop_changed':
        for (const tell of changeListeners) tell(data.pop);
        return;
      case 'readyline:dialed':
        return dialing.get(data.request_id)?.(data);
    }
  };
  host.addEventListener('message', listener);
  // A page that is still loading tells by itself when it is there.
  say({ type: 'readyline:read_state' });

  return {
    get state() {
      return state;
    },
    dial(phoneNumber) {
      const requestId = `${Date.now()}-${(requests += 1)}`;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          dialing.delete(requestId);
          reject(new DialRefused('unreachable', 'The softphone did not answer.'));
        }, answerWithinMs);
        dialing.set(requestId, (message) => {
          clearTimeout(timer);
          dialing.delete(requestId);
          if (message.ok) resolve(message.call_id);
          else reject(new DialRefused(message.error.code, message.error.detail));
        });
        say({ type: 'readyline:dial', request_id: requestId, phone_number: phoneNumber });
      });
    },
    onState: (tell) => {
      stateListeners.add(tell);
      if (state !== null) tell(state);
      return () => stateListeners.delete(tell);
    },
    onPop: (tell) => {
      popListeners.add(tell);
      return () => popListeners.delete(tell);
    },
    onPopChanged: (tell) => {
      changeListeners.add(tell);
      return () => changeListeners.delete(tell);
    },
    close: () => host.removeEventListener('message', listener),
  };
}

const messages: ReadonlySet<string> = new Set([
  'readyline:state',
  'readyline:pop',
  'readyline:pop_changed',
  'readyline:dialed',
] satisfies EmbedMessage['type'][]);

/** The softphone's origin is trusted; that page may send other messages too. */
function isMessage(data: unknown): data is EmbedMessage {
  if (typeof data !== 'object' || data === null || !('type' in data)) return false;
  return typeof data.type === 'string' && messages.has(data.type);
}
