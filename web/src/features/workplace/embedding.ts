import { SoftphoneRefusal } from '../../../../src/client/softphone.ts';
import type { CallView } from '../../../../src/contract/calls.ts';
import type { EmbedCall, EmbedMessage, EmbedRequest, EmbedState } from '../../../../src/contract/embed.ts';
import type { CrmScreenPop } from '../../../../src/contract/socket.ts';
import { CannotNow, type Workplace, type WorkplaceView } from './workplace.ts';

/** The page around this one, which holds it in an iframe. */
export type Parent = {
  /** Sends to it, if it is of that origin. */
  postMessage(message: EmbedMessage, targetOrigin: string): void;
};

export type EmbeddingNeeds = {
  parent: Parent;
  /** Its origin, as far as the browser tells; null: not before it speaks. */
  parentOrigin: string | null;
  /** Pages of these origins are listened to. */
  allowedOrigins: Promise<readonly string[]>;
  /** Calls back with every message that comes to this page. */
  onMessage: (listener: (event: { data: unknown; origin: string; source: unknown }) => void) => void;
};

/**
 * A dial that has waited for longer is not made any more: with the 10 s in which the gateway may answer,
 * the page around would have given it up (after 15 s), and its user would have called otherwise. Milliseconds.
 */
const dialWaitsMs = 4_000;

const nobody: EmbedState = {
  agent: null,
  state: 'offline',
  reason: null,
  since: null,
  connected: false,
  phone_ready: false,
  call: null,
};

/** Tells the page around the softphone what the agent does, and dials for it. Other pages learn nothing. */
export class Embedding {
  readonly #needs: EmbeddingNeeds;
  /** Of the page that may know; null: there is none yet. */
  #origin: string | null = null;
  #workplace: Workplace | null = null;
  #told = '';
  /** Whose customer the page around knows of. */
  #poppedFor: string | null = null;
  /** What the page around knows of that customer. */
  #popped = '';

  constructor(needs: EmbeddingNeeds) {
    this.#needs = needs;
    needs.onMessage((event) => void this.#take(event));
    if (needs.parentOrigin !== null) void this.#greet(needs.parentOrigin);
  }

  /** From now on that is the agent's workplace. @returns ends it */
  attach(workplace: Workplace): () => void {
    this.#workplace = workplace;
    const ends = [workplace.subscribe(() => this.#tell()), workplace.onPop((pop) => this.#pop(pop, false))];
    this.#tell();
    return () => {
      for (const end of ends) end();
      if (this.#workplace === workplace) this.#workplace = null;
      this.#tell();
    };
  }

  async #greet(origin: string): Promise<void> {
    if (!(await this.#needs.allowedOrigins).includes(origin)) return;
    this.#origin = origin;
    this.#tell();
  }

  async #take({ data, origin, source }: { data: unknown; origin: string; source: unknown }): Promise<void> {
    const request = requestIn(data);
    if (request === null || source !== this.#needs.parent) return;
    const arrivedAt = performance.now();
    if (!(await this.#needs.allowedOrigins).includes(origin)) return;
    this.#origin = origin;
    if (request.type === 'readyline:dial') return this.#dial(request, performance.now() - arrivedAt);
    this.#told = '';
    this.#tell();
  }

  async #dial(
    { request_id, phone_number }: Extract<EmbedRequest, { type: 'readyline:dial' }>,
    waitedMs: number,
  ): Promise<void> {
    const type = 'readyline:dialed';
    try {
      if (waitedMs > dialWaitsMs) throw new Error('too late');
      if (this.#workplace === null) throw new NotLoggedIn();
      const { id } = await this.#workplace.dial(phone_number);
      this.#say({ type, request_id, ok: true, call_id: id });
    } catch (error) {
      this.#say({ type, request_id, ok: false, error: faultOf(error) });
    }
  }

  #tell(): void {
    if (this.#origin === null) return;
    const view = this.#workplace?.view();
    const state = view === undefined ? nobody : stateOf(view);
    const told = JSON.stringify(state);
    if (told !== this.#told) {
      this.#told = told;
      this.#say({ type: 'readyline:state', state });
    }
    // Not told by this page yet: the call of the page before a reload, or of another tab.
    if (view?.line === 'connected' && view.pop !== null && view.pop.call_id !== this.#poppedFor)
      this.#pop(view.pop, true);
    if (view?.pop?.call_id === this.#poppedFor && knownOf(view.pop) !== this.#popped) this.#popChanged(view.pop);
  }

  #pop(pop: CrmScreenPop, repeated: boolean): void {
    if (this.#origin === null) return;
    this.#poppedFor = pop.call_id;
    this.#popped = knownOf(pop);
    this.#say({ type: 'readyline:pop', pop, repeated });
  }

  #popChanged(pop: CrmScreenPop): void {
    if (this.#origin === null) return;
    this.#popped = knownOf(pop);
    this.#say({ type: 'readyline:pop_changed', pop });
  }

  #say(message: EmbedMessage): void {
    if (this.#origin !== null) this.#needs.parent.postMessage(message, this.#origin);
  }
}

/** What may change of a customer who is shown. */
function knownOf({ screen_pop, looking_up }: CrmScreenPop): string {
  return JSON.stringify([screen_pop, looking_up]);
}

class NotLoggedIn extends Error {
  override readonly message = 'Nobody is logged in to the softphone.';
}

function faultOf(error: unknown): { code: string; detail: string } {
  if (error instanceof SoftphoneRefusal) return { code: error.code, detail: error.message };
  if (error instanceof CannotNow) return { code: 'conflict', detail: error.message };
  if (error instanceof NotLoggedIn) return { code: 'not_logged_in', detail: error.message };
  return { code: 'unreachable', detail: 'The gateway did not answer.' };
}

function requestIn(data: unknown): EmbedRequest | null {
  if (typeof data !== 'object' || data === null || !('type' in data)) return null;
  if (data.type === 'readyline:read_state') return { type: data.type };
  if (data.type !== 'readyline:dial' || !('request_id' in data) || !('phone_number' in data)) return null;
  const { type, request_id, phone_number } = data;
  return typeof request_id === 'string' && typeof phone_number === 'string' ? { type, request_id, phone_number } : null;
}

function stateOf({ agent, line, phone, call }: WorkplaceView): EmbedState {
  if (agent === null) return nobody;
  const { agent_id: id, agent_code, name, state, reason, since } = agent;
  const connected = line === 'connected';
  // Who is out of the gateway's reach gets no calls, and may be Not Ready there by now.
  const isAway = state === 'ready' && (!connected || (agent.connection !== null && agent.connection !== 'connected'));
  return {
    agent: { id, agent_code, name },
    state: isAway ? 'not_ready' : state,
    reason: isAway ? 'connection_lost' : reason,
    since,
    connected,
    phone_ready: phone.state === 'ready',
    call: call === null ? null : callOf(call),
  };
}

function callOf(call: CallView): EmbedCall {
  const { id, direction, state, phone, caller, end_reason, screen_pop, external_id, contact_id, campaign_id } = call;
  return {
    id,
    direction,
    state,
    phone,
    caller,
    // Gateways of before do not tell.
    dialed_number: (call.dialed_number as string | null | undefined) ?? null,
    queue: (call.queue as string | null | undefined) ?? null,
    end_reason,
    contact_id,
    campaign_id,
    name: screen_pop?.name ?? null,
    external_system: screen_pop?.external_system ?? null,
    external_id: external_id ?? screen_pop?.external_id ?? null,
    record_url: screen_pop?.record_url ?? null,
  };
}
