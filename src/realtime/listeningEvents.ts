import type { z } from 'zod';
import type { ClientAnswers, ClientEvent, clientPayloads } from '../contract/socket.ts';
import { ok, type Outcome, refuse } from '../domain/outcome.ts';
import {
  changeListening,
  endListening,
  type Listening,
  mayGoOn,
  startListening,
} from '../usecases/listening/startListening.ts';
import type { Services } from '../usecases/services.ts';
import type { SoftphoneSocket } from './io.ts';
import { rightsOf } from './rights.ts';

/** Events of supervisors, of connections with and without a softphone. */
export type ListeningEvent = Extract<ClientEvent, `${string}_listening`>;
type Parsed<E extends ListeningEvent> = z.output<(typeof clientPayloads)[E]>;

/** So many calls at once are more than anybody can follow. */
const mostAtOnce = 4;

/** What one connection listens to; ends with it. */
export class ListeningOfConnection {
  readonly #services: Services;
  readonly #socket: SoftphoneSocket;
  readonly #all = new Map<string, Listening>();
  /** That are asked for, and not answered yet. */
  #starting = 0;

  constructor(services: Services, socket: SoftphoneSocket) {
    this.#services = services;
    this.#socket = socket;
  }

  async take<E extends ListeningEvent>(event: E, payload: unknown): Promise<Outcome<ClientAnswers[E]>> {
    // The payload was validated by the schema of this event.
    const take = this.#handlers[event] as (given: unknown) => Promise<Outcome<ClientAnswers[E]>>;
    return take(payload);
  }

  /** Ends what may be listened to no longer. @param listener as it was just read */
  async recheck(listener: SoftphoneSocket['data']['holder']['principal']): Promise<void> {
    for (const listening of this.#all.values()) {
      if (await mayGoOn(this.#services, listener, listening)) continue;
      if (this.#all.delete(listening.listenId)) endListening(this.#services, listener, listening);
    }
  }

  /** The connection is over. */
  close(): void {
    for (const listening of this.#all.values()) endListening(this.#services, this.#listener, listening);
    this.#all.clear();
  }

  get #listener() {
    return this.#socket.data.holder.principal;
  }

  readonly #handlers: { [E in ListeningEvent]: (payload: Parsed<E>) => Promise<Outcome<ClientAnswers[E]>> } = {
    start_listening: async (asked) => {
      if (this.#all.size + this.#starting >= mostAtOnce) {
        return refuse('conflict', `At most ${mostAtOnce} calls are listened to at once.`, {
          cause: { code: 'listens_to_too_many', params: { max: mostAtOnce } },
        });
      }
      this.#starting += 1;
      const started = await rightsOf(this.#services, this.#socket.data.holder)
        .then((listener) => startListening(this.#services, listener, asked))
        .finally(() => (this.#starting -= 1));
      if (started.kind === 'refused') return started;
      const { answer, listening } = started.value;
      this.#all.set(listening.listenId, listening);
      // It ended while the agent's softphone was asked.
      if (!this.#socket.connected) this.close();
      return ok(answer);
    },
    answer_listening: ({ listen_id, sdp }) =>
      this.#with(listen_id, async ({ agentId }) => {
        this.#services.softphones.listener(this.#listener.companyId, agentId, {
          event: 'listener_answered',
          about: { listen_id, sdp },
        });
        return ok({});
      }),
    change_listening: ({ listen_id, mode }) =>
      this.#with(listen_id, async (listening) => {
        const changed = await changeListening(this.#services, this.#listener, listening, mode);
        if (changed.kind === 'refused') return changed;
        // Unless it was ended meanwhile.
        if (this.#all.has(listen_id)) this.#all.set(listen_id, changed.value);
        return ok({});
      }),
    stop_listening: ({ listen_id }) =>
      this.#with(listen_id, async (listening) => {
        this.#all.delete(listen_id);
        endListening(this.#services, this.#listener, listening);
        return ok({});
      }),
  };

  async #with(listenId: string, act: (listening: Listening) => Promise<Outcome<object>>): Promise<Outcome<object>> {
    const listening = this.#all.get(listenId);
    return listening === undefined
      ? refuse('not_found', 'This connection does not listen to that call.')
      : act(listening);
  }
}

export function isListeningEvent(event: ClientEvent): event is ListeningEvent {
  return event.endsWith('_listening');
}
