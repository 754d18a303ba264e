import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Watcher } from '../../../../src/client/watcher.ts';
import type { ListeningMode } from '../../../../src/contract/vocabulary.ts';
import { ListenIn, type ListenInEnd } from '../../lib/sip/listenIn.ts';

/** Whose call is heard. `name`: as it was when it began. */
export type HeardAgent = { id: string; name: string; callId: string };

/** `place`: by whom this page is heard, as the agent's page says; null: not known yet, as they are not connected. */
export type ListeningState =
  | { step: 'none' }
  | {
      step: 'connecting' | 'listening';
      agent: HeardAgent;
      mode: ListeningMode;
      place: ListeningMode | null;
      isVisible: boolean;
      lacksMicrophone: boolean;
    }
  | { step: 'over'; agent: HeardAgent; why: ListenInEnd };

type Watch = Pick<Watcher, 'answerListening' | 'changeListening' | 'startListening' | 'stopListening'>;
type Current = { agent: HeardAgent; link: ListenIn | null; listenId: string | null };

/** The one call that this page listens to. Ends with the page's connection to the gateway. */
export class SupervisorListening {
  readonly state: StoreApi<ListeningState> = createStore<ListeningState>(() => ({ step: 'none' }));
  #watcher: Watch | null = null;
  #current: Current | null = null;

  /** @param watcher whose connection it goes over from now on; null: there is none. What is heard ends */
  use(watcher: Watch | null): void {
    this.lost();
    this.#watcher = watcher;
  }

  /** Begins, instead of what is heard so far. Rejects with SoftphoneRefusal. */
  async start(agent: HeardAgent): Promise<void> {
    this.stop();
    const watcher = this.#watcher;
    if (watcher === null) return;
    const current: Current = { agent, link: null, listenId: null };
    this.#current = current;
    this.state.setState(
      { step: 'connecting', agent, mode: 'listen', place: null, isVisible: true, lacksMicrophone: false },
      true,
    );
    try {
      const {
        listen_id: listenId,
        sdp,
        ice_servers: iceServers,
        is_visible: isVisible,
      } = await watcher.startListening(agent.id, agent.callId, 'listen');
      if (this.#current !== current) return void watcher.stopListening(listenId).catch(() => {});
      current.listenId = listenId;
      const link = new ListenIn(iceServers, {
        onPlace: (place) => this.#change(current, { step: 'listening', place }),
        onEnd: (why) => this.#end(current, why),
      });
      current.link = link;
      this.#change(current, { isVisible });
      await watcher.answerListening(listenId, await link.answer(sdp));
    } catch (error) {
      if (this.#current !== current) return;
      this.stop();
      throw error;
    }
  }

  /** Rejects with SoftphoneRefusal; then it goes on as before. */
  async become(mode: ListeningMode): Promise<void> {
    const current = this.#current;
    const watcher = this.#watcher;
    if (current?.link == null || current.listenId === null || watcher === null) return;
    const isHeard = mode !== 'listen';
    if (!(await current.link.speak(isHeard))) return this.#change(current, { lacksMicrophone: true });
    try {
      await watcher.changeListening(current.listenId, mode);
      this.#change(current, { mode, lacksMicrophone: false });
    } catch (error) {
      const state = this.state.getState();
      if (this.#current === current && state.step === 'listening') await current.link.speak(state.mode !== 'listen');
      throw error;
    }
  }

  /** Ends it, or puts away why it has ended. */
  stop(): void {
    const current = this.#current;
    this.#current = null;
    current?.link?.close();
    if (current?.listenId != null) this.#watcher?.stopListening(current.listenId).catch(() => {});
    this.state.setState({ step: 'none' }, true);
  }

  /** The connection to the gateway is gone, and with it the right to listen. */
  lost(): void {
    if (this.#current !== null) this.#end(this.#current, 'ended');
  }

  #end(current: Current, why: ListenInEnd): void {
    if (this.#current !== current) return;
    this.stop();
    this.state.setState({ step: 'over', agent: current.agent, why }, true);
  }

  #change(current: Current, change: Partial<Extract<ListeningState, { step: 'listening' | 'connecting' }>>): void {
    const state = this.state.getState();
    if (this.#current !== current || (state.step !== 'connecting' && state.step !== 'listening')) return;
    this.state.setState({ ...state, ...change }, true);
  }
}
