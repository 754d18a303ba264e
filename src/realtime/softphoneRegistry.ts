import type { AgentStateView } from '../contract/agents.ts';
import type { AgentId, CallId, CompanyId, Lease, SessionId } from '../domain/ids.ts';
import type { Presence } from '../domain/presence.ts';
import type { SoftphoneSocket } from './io.ts';
import type { Offered } from './nodeLink.ts';

export type LocalSoftphone = {
  companyId: CompanyId;
  agentId: AgentId;
  socket: SoftphoneSocket;
  sessionId: SessionId;
  lease: Lease;
  /** Whether it takes calls that colleagues hand on. */
  takesTransfers: boolean;
  /** Whether supervisors can listen to its calls. */
  takesListeners: boolean;
  /** When this connection opened or resumed the session, in milliseconds of the presence store's clock. */
  openedAt: number;
  /** The offer that this softphone has not answered yet. */
  offer: Offered | null;
  /** The call whose offer was acknowledged, until its outcome is known. */
  awaiting: CallId | null;
  /** The call whose offer was rescinded last: the rescission may arrive before the call's own messages. */
  rescinded: string | null;
  /** Whether it has got its snapshot. Changes come after it; until then the latest is kept in `untold`. */
  isShown: boolean;
  untold: AgentStateView | null;
  /** The latest known presence of the agent, to restore it after data loss. */
  presence: Presence;
};

/** The softphones connected to this gateway, at most one per agent, and all connections of each agent. */
export interface SoftphoneRegistry {
  /**
   * Makes a connection the agent's softphone.
   * @returns the softphone it replaced, if any; `outdated` when a session opened later is already registered
   */
  own(softphone: LocalSoftphone): LocalSoftphone | null | 'outdated';
  find(agentId: AgentId): LocalSoftphone | undefined;
  /** Removes the softphone, unless another connection has taken over since. */
  release(agentId: AgentId, lease: Lease): void;
  /** Updates the known presence of the session with this lease, if newer. */
  learn(lease: Lease | null, presence: Presence): void;
  all(): Iterable<LocalSoftphone>;
  count(): number;
  /** Adds a connection of the agent, also a passive or watching one. */
  addConnection(agentId: AgentId, socket: SoftphoneSocket): void;
  removeConnection(agentId: AgentId, socket: SoftphoneSocket): void;
  connectionsOf(agentId: AgentId): Iterable<SoftphoneSocket>;
}

/** In memory, since connections belong to this process. */
export function createSoftphoneRegistry(): SoftphoneRegistry {
  const softphones = new Map<AgentId, LocalSoftphone>();
  const connections = new Map<AgentId, Set<SoftphoneSocket>>();
  return {
    own(softphone) {
      const { agentId } = softphone;
      const present = softphones.get(agentId) ?? null;
      // Not by version, which starts again after a log-out.
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
