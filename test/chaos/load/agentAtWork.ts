import { setTimeout as pause } from 'node:timers/promises';
import { Softphone, SoftphoneRefusal } from '../../../src/client/softphone.ts';
import type { AgentStateView } from '../../../src/contract/agents.ts';
import type { CallView } from '../../../src/contract/calls.ts';
import { slowness } from '../../support/time/pace.ts';
import type { SoftphoneEvent, Ledger } from '../ledger.ts';
import type { ChaosAgent } from './company.ts';

/** How long the customer talks, at most. */
const longestTalkMs = 500;
/** An agent sees that the work has been taken away, and asks for it again after this. */
const lookMs = 200;
/** A call on the screen that was not dialed within this time is hung up by the agent; on an idle machine. */
const undialedPatienceMs = 2_500;

/** What an event says beside when and whose it is. */
type Happening = SoftphoneEvent extends infer E
  ? E extends SoftphoneEvent
    ? Omit<E, 'at' | 'agentId'>
    : never
  : never;

/** An agent with the real client: acknowledges, dials, talks, wraps up, goes Ready again, and notes everything. */
export class AgentAtWork {
  readonly softphone: Softphone;
  readonly agent: ChaosAgent;
  readonly #ledger: Ledger;
  readonly #busyWith = new Set<string>();
  readonly #underWay = new Set<Promise<void>>();
  #shown: string | null = null;
  #working = true;
  #gettingReady = false;

  constructor(url: string, agent: ChaosAgent, ledger: Ledger) {
    this.agent = agent;
    this.#ledger = ledger;
    this.softphone = new Softphone({
      url,
      token: agent.token,
      ackTimeoutMs: 5_000,
      acceptOffer: ({ call_id, external_id }) => {
        this.#note({ kind: 'offer', callId: call_id, clickId: external_id ?? null });
        return true;
      },
    });
    this.#listen();
  }

  async begin(): Promise<void> {
    await this.softphone.connect();
    await this.softphone.setReady();
  }

  /** Dials by hand, if the gateway lets the agent; talks and wraps up. */
  dialByHand(phoneNumber: string): void {
    this.#do(async () => {
      const call = await this.softphone.startCall(phoneNumber).catch(() => null);
      if (call !== null) await this.#talk(call.id);
    });
  }

  /** No longer asks for Ready; ends the calls that are under way. */
  async finish(): Promise<void> {
    this.#working = false;
    await Promise.all(this.#underWay);
  }

  close(): void {
    this.softphone.close();
  }

  #listen(): void {
    const { softphone } = this;
    softphone.on('line', (state) => this.#note({ kind: 'line', state }));
    softphone.on('pop', ({ call_id, external_id }) => {
      this.#note({ kind: 'pop', callId: call_id, clickId: external_id ?? null });
      this.#shown = call_id;
    });
    softphone.on('popClosed', () => this.#lookAtScreen());
    softphone.on('dial', ({ call_id }) => {
      this.#note({ kind: 'dial', callId: call_id });
      this.#do(() => this.#talk(call_id));
    });
    softphone.on('call', (call) => {
      this.#note({ kind: 'told_call', callId: call.id, state: call.state });
      if (call.state !== 'ended' && !this.#busyWith.has(call.id)) this.#do(() => this.#hangUpUnlessDialed(call));
    });
    softphone.on('agent', (agent) => {
      const { state, reason, call_id: callId, connection, version } = agent;
      this.#note({ kind: 'told_agent', state, reason, callId, connection, version });
      this.#lookAtScreen();
      if (state === 'not_ready') this.#do(() => this.#goReady(agent));
    });
  }

  #note(happening: Happening): void {
    this.#ledger.events.push({ ...happening, at: this.#ledger.now(), agentId: this.agent.id });
  }

  #lookAtScreen(): void {
    if (this.#shown === null || this.softphone.pop?.call_id === this.#shown) return;
    this.#note({ kind: 'pop_gone', callId: this.#shown });
    this.#shown = null;
  }

  async #talk(callId: string): Promise<void> {
    this.#busyWith.add(callId);
    await this.#report(callId, 'ringing');
    await this.#report(callId, 'connected');
    await pause(Math.random() * longestTalkMs);
    await this.#end(callId);
    if (Math.random() < 0.5)
      await this.softphone.submitDisposition(callId, { code: 'resolved' }).catch(() => undefined);
  }

  async #hangUpUnlessDialed({ id }: CallView): Promise<void> {
    await pause(undialedPatienceMs * slowness());
    if (this.#busyWith.has(id) || this.softphone.call?.id !== id || this.softphone.call.state === 'ended') return;
    this.#busyWith.add(id);
    this.#note({ kind: 'hung_up', callId: id });
    await this.#end(id, 'failed');
  }

  async #report(callId: string, state: 'ringing' | 'connected'): Promise<void> {
    await this.softphone.reportProgress(callId, state).catch(() => undefined);
  }

  /** Until the gateway has it: the line may be down, a store away. */
  async #end(callId: string, reason: 'completed' | 'failed' = 'completed'): Promise<void> {
    this.#note({ kind: 'told_call', callId, state: 'ended' });
    for (;;) {
      try {
        await this.softphone.reportProgress(callId, 'ended', { end_reason: reason });
        return;
      } catch (error) {
        if (error instanceof SoftphoneRefusal && !mayPass(error)) return;
        await pause(lookMs);
      }
    }
  }

  async #goReady({ reason }: AgentStateView): Promise<void> {
    if (this.#gettingReady || reason === 'break') return;
    this.#gettingReady = true;
    while (this.#working && this.softphone.agent?.state === 'not_ready') {
      await pause(lookMs);
      if (this.#working) await this.softphone.setReady().catch(() => undefined);
    }
    this.#gettingReady = false;
  }

  #do(work: () => Promise<void>): void {
    const done = work();
    this.#underWay.add(done);
    void done.finally(() => this.#underWay.delete(done));
  }
}

function mayPass({ code }: SoftphoneRefusal): boolean {
  return (
    code === 'dependency_unavailable' ||
    code === 'internal_error' ||
    code === 'session_replaced' ||
    code === 'rate_limited'
  );
}
