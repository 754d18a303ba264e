import type { AgentStateView } from '../contract/agents.ts';
import type { ClickToDialOffer } from '../contract/socket.ts';
import type { AgentId, CallId, CompanyId, Lease, SessionId } from '../domain/ids.ts';
import type { Presence } from '../domain/presence.ts';
import type { SoftphoneSocket } from './io.ts';

export type LocalSoftphone = {
  companyId: CompanyId;
  agentId: AgentId;
  socket: SoftphoneSocket;
  sessionId: SessionId;
  lease: Lease;
  /** When this connection opened or resumed the session, in milliseconds of the presence store's clock. */
  openedAt: number;
  /** The offer that this softphone has not answered yet. */
  offer: ClickToDialOffer | null;
  /** The call whose offer was acknowledged, until it is known what became of it. */
  awaiting: CallId | null;
  /** The call whose offer was taken back last: it may be overtaken by that. */
  rescinded: string | null;
  /** Whether it was told how everything stands: changes come after that, and until then the latest is kept. */
  isShown: boolean;
  untold: AgentStateView | null;
  /** What is known of the agent: brings the presence back when the store has lost it. */
  presence: Presence;
};

/** The softphones whose connection is on this gateway: at most one per agent, and all connections of each agent. */
export interface SoftphoneRegistry {
  /**
   * Makes a connection the agent's softphone.
   * @returns whose place it took, if any; `outdated`: one that opened its session later is there already
   */
  own(softphone: LocalSoftphone): LocalSoftphone | null | 'outdated';
  find(agentId: AgentId): LocalSoftphone | undefined;
  /** Does nothing when another connection has taken over since. */
  release(agentId: AgentId, lease: Lease): void;
  /** Keeps what is newer of the session with this lease. */
  learn(lease: Lease | null, presence: Presence): void;
  all(): Iterable<LocalSoftphone>;
  count(): number;
  /** A connection of the agent, passive and watching ones too. */
  addConnection(agentId: AgentId, socket: SoftphoneSocket): void;
  removeConnection(agentId: AgentId, socket: SoftphoneSocket): void;
  connectionsOf(agentId: AgentId): Iterable<SoftphoneSocket>;
}

/** Keeps them in memory: the connections are of this process. */
export function createSoftphoneRegistry(): SoftphoneRegistry {
  const softphones = new Map<AgentId, LocalSoftphone>();
  const connections = new Map<AgentId, Set<SoftphoneSocket>>();
  return {
    own(softphone) {
      const { agentId } = softphone;
      const present = softphones.get(agentId) ?? null;
      // Not by version: it begins anew when the agent was logged out in between.
      const openedLater = present !== null && present.openedAt > softphone.openedAt;
      if (openedLater && present.lease !== softphone.lease) return 'outdated';
      softphones.set(agentId, softphone);
      return present;
    },
    find: (agentId) => softphones.get(agentId),
    release(agentId, lease) {
      if (softphones.get(agentId)?.lease === lease) softphones.delete(agentId);
    },
    learn(lease, presence) {
      const softphone = softphones.get(presence.agentId);
      if (softphone === undefined || softphone.lease !== lease) return;
      if (presence.version > softphone.presence.version) softphone.presence = presence;
    },
    all: () => softphones.values(),
    count: () => softphones.size,
    addConnection(agentId, socket) {
      const known = connections.get(agentId);
      if (known === undefined) connections.set(agentId, new Set([socket]));
      else known.add(socket);
    },
    removeConnection(agentId, socket) {
      const known = connections.get(agentId);
      known?.delete(socket);
      if (known?.size === 0) connections.delete(agentId);
    },
    connectionsOf: (agentId) => [...(connections.get(agentId) ?? [])],
  };
}
