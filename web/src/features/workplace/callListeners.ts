import type { Emitter } from '@socket.io/component-emitter';
import type { SoftphoneEvents } from '../../../../src/client/softphone.ts';
import type { ListenerJoins } from '../../../../src/contract/socket.ts';
import type { ListeningMode } from '../../../../src/contract/vocabulary.ts';
import type { PhoneCall, PhoneListener } from '../../lib/sip/phoneCall.ts';
import type { ShownListener } from './workplace.ts';

type Needs = {
  softphone: Pick<Emitter<SoftphoneEvents, SoftphoneEvents>, 'on'>;
  /** The page's, as its phone has it; null: there is none. */
  call: () => PhoneCall | null;
  /** The call that the agent talks in; null: none. */
  callId: () => string | null;
  changed: () => void;
};
/** `by`: null where the agent is not to know. `listener`: null until the telephone has let them in. */
type Entry = { by: ListenerJoins['by']; mode: ListeningMode; listener: PhoneListener | null };

/** More would load the agent's machine. */
const mostAtOnce = 4;

/** Who listens to the call of this page, by what the gateway tells of them: it decides who may, and how. */
export class CallListeners {
  readonly #needs: Needs;
  readonly #all = new Map<string, Entry>();

  constructor(needs: Needs) {
    this.#needs = needs;
    needs.softphone.on('listenerAnswered', ({ listen_id: id, sdp }) => void this.#all.get(id)?.listener?.answered(sdp));
    needs.softphone.on('listenerChanged', ({ listen_id: id, mode }) => this.#change(id, mode));
    needs.softphone.on('listenerLeft', (id) => this.#leave(id));
  }

  /** Those of whom the agent is to know. */
  get shown(): readonly ShownListener[] {
    return [...this.#all].flatMap(([id, { by, mode }]) => (by === null ? [] : [{ id, name: by.name, mode }]));
  }

  /** Lets somebody in. @returns the SDP offer for them; null: they cannot be let in */
  async admit({ listen_id: id, call_id: callId, mode, by }: ListenerJoins): Promise<string | null> {
    if (this.#needs.callId() !== callId || this.#all.size >= mostAtOnce) return null;
    const entry: Entry = { by, mode, listener: null };
    this.#all.set(id, entry);
    const listener =
      (await this.#needs
        .call()
        ?.admitListener()
        .catch(() => null)) ?? null;
    // They may have gone meanwhile.
    if (listener === null || this.#all.get(id) !== entry) {
      listener?.end();
      if (this.#all.get(id) === entry) this.#leave(id);
      return null;
    }
    entry.listener = listener;
    listener.onEnd(() => this.#leave(id));
    listener.become(entry.mode);
    this.#needs.changed();
    return listener.offer;
  }

  #change(id: string, mode: ListeningMode): void {
    const entry = this.#all.get(id);
    if (entry === undefined) return;
    entry.mode = mode;
    entry.listener?.become(mode);
    this.#needs.changed();
  }

  #leave(id: string): void {
    const entry = this.#all.get(id);
    if (entry === undefined) return;
    this.#all.delete(id);
    entry.listener?.end();
    this.#needs.changed();
  }
}
