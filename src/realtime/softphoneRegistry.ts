import type { ClickToDialOffer } from '../contract/socket.ts';
import type { AgentId, Lease, SessionId } from '../domain/ids.ts';
import type { SoftphoneSocket } from './io.ts';

export type OwnedSoftphone = {
  socket: SoftphoneSocket;
  sessionId: SessionId;
  lease: Lease;
  /** The offer that this softphone has not answered yet. */
  offer: ClickToDialOffer | null;
};

/** The softphones whose connection is on this node: at most one per agent. */
export interface SoftphoneRegistry {
  own(agentId: AgentId, softphone: OwnedSoftphone): void;
  find(agentId: AgentId): OwnedSoftphone | undefined;
  /** Does nothing when another connection has taken over since. */
  release(agentId: AgentId, lease: Lease): void;
  all(): Iterable<OwnedSoftphone>;
  count(): number;
}

/** Keeps them in memory: the connections are of this process. */
export function createSoftphoneRegistry(): SoftphoneRegistry {
  const softphones = new Map<AgentId, OwnedSoftphone>();
  return {
    own: (agentId, softphone) => void softphones.set(agentId, softphone),
    find: (agentId) => softphones.get(agentId),
    release(agentId, lease) {
      if (softphones.get(agentId)?.lease === lease) softphones.delete(agentId);
    },
    all: () => softphones.values(),
    count: () => softphones.size,
  };
}
