import { once } from 'node:events';
import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { v7 as timeOrderedId } from 'uuid';
import type { AgentStateView } from '../../../src/contract/agents.ts';
import type { ClientToServerEvents, ServerToClientEvents } from '../../../src/contract/socket.ts';
import type { AgentState } from '../../../src/contract/vocabulary.ts';

const states: AgentState[] = ['ready', 'reserved', 'on_call', 'wrap_up', 'not_ready'];

/**
 * In front of a gateway: HTTP goes through to it, and supervisors who watch see a crowd of agents that a test moves,
 * without 2,000 softphones beside the browser on one machine.
 */
export class CrowdedGateway {
  readonly url: string;
  readonly agents: AgentStateView[];
  readonly #io: Server<ClientToServerEvents, ServerToClientEvents>;
  /** Rises without a pause, so that what comes next is always another one. */
  #turn = 0;

  private constructor(url: string, io: Server<ClientToServerEvents, ServerToClientEvents>, agents: AgentStateView[]) {
    this.url = url;
    this.agents = agents;
    this.#io = io;
    io.on('connection', (socket) => {
      socket.emit('agents_snapshot', { agents: this.agents });
      socket.emit('calls_snapshot', { calls: [] });
      socket.emit('clicks_snapshot', { tallies: [] });
    });
  }

  /**
   * @param gatewayUrl serves the pages and the REST interface;
   * @param count of agents;
   * @param named names of the first ones
   */
  static async open(gatewayUrl: string, count: number, named: readonly string[] = []): Promise<CrowdedGateway> {
    const server = createServer((incoming, outgoing) => {
      const { method, headers, url: path = '/' } = incoming;
      const passed = ask(new URL(path, gatewayUrl), { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(passed);
    });
    const io = new Server<ClientToServerEvents, ServerToClientEvents>(server, { transports: ['websocket'] });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return new CrowdedGateway(
      `http://127.0.0.1:${port}`,
      io,
      Array.from({ length: count }, (_, index) => agentOf(index, named[index])),
    );
  }

  /** So many agents, one after the other, go on to another state, and whoever watches is told. */
  change(count: number): void {
    for (let left = count; left > 0; left--) {
      // A step that has no divisor in common with the crowd's size visits all of it, here and there.
      const index = (this.#turn++ * 701) % this.agents.length;
      const before = this.agents[index];
      if (before === undefined) throw new Error('nobody is there');
      const state = states[(states.indexOf(before.state) + 1) % states.length] ?? 'ready';
      const after = {
        ...before,
        state,
        reason: reasonOf(state),
        since: new Date().toISOString(),
        version: before.version + 1,
      };
      this.agents[index] = after;
      this.#io.emit('agent_state_changed', after);
    }
  }

  async close(): Promise<void> {
    await this.#io.close();
  }
}

function agentOf(index: number, name?: string): AgentStateView {
  const state = states[index % states.length] ?? 'ready';
  const code = String(1000 + index);
  return {
    agent_id: timeOrderedId(),
    agent_code: code,
    name: name ?? `Agent ${code}`,
    state,
    reason: reasonOf(state),
    since: new Date(Date.now() - 1000 * (index + 10)).toISOString(),
    connection: 'connected',
    pending_state: null,
    pending_reason: null,
    call_id: null,
    wrap_up_ends_at: null,
    platform: null,
    version: 1,
  };
}

function reasonOf(state: AgentState): string | null {
  return state === 'not_ready' ? 'break' : null;
}
