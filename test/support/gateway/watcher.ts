import type { Socket } from 'socket.io-client';
import type { AgentStateView } from '../../../src/contract/agents.ts';
import type { RawSockets } from './rawSockets.ts';
import { eventually } from '../time/waiting.ts';

/** A supervisor who watches a company's agents. */
export class Watcher {
  readonly socket: Socket;
  /** What the connection began with. */
  snapshot: AgentStateView[] | null = null;
  /** Every change since, in the order of arrival. */
  readonly changes: AgentStateView[] = [];

  private constructor(socket: Socket) {
    this.socket = socket;
  }

  /** Resolves once the agents of the company are on screen. */
  static async open(sockets: RawSockets, url: string, token: string): Promise<Watcher> {
    const begun: { watcher?: Watcher } = {};
    const listen = (socket: Socket) => {
      const watcher = new Watcher(socket);
      socket.on('agents_snapshot', ({ agents }: { agents: AgentStateView[] }) => (watcher.snapshot = agents));
      socket.on('agent_state_changed', (state: AgentStateView) => watcher.changes.push(state));
      begun.watcher = watcher;
    };
    await sockets.open(url, { token, watch: true }, {}, listen);
    const { watcher } = begun;
    if (watcher === undefined) throw new Error('the connection was not begun');
    await eventually(() => watcher.snapshot !== null);
    return watcher;
  }

  /** The changes of one agent, in the order of arrival. */
  of(agentId: string): AgentStateView[] {
    return this.changes.filter((state) => state.agent_id === agentId);
  }

  /** The version at which the agent was shown first. */
  shownAt(agentId: string): number {
    return this.snapshot?.find(({ agent_id }) => agent_id === agentId)?.version ?? 0;
  }

  /** Resolves when a change of the agent that fits has been seen. */
  async sees(agentId: string, fits: (state: AgentStateView) => boolean): Promise<void> {
    await eventually(() => this.of(agentId).some(fits));
  }
}
