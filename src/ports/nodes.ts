import type { AgentId, CompanyId, NodeId } from '../domain/ids.ts';

/** A gateway that does not renew its lease for this long is dead to the others. Milliseconds of the store's clock. */
export const nodeLeaseMs = 4_000;

/**
 * The gateways that share a presence store. Each holds a lease, which costs one renewal a second and nothing per agent.
 */
export interface NodeTable {
  /**
   * Renews this gateway's lease.
   * @returns `lapsed`: there was none any more, so others may have released this gateway's agents; `dead`: gateways
   * whose lease has lapsed and who are not retired yet
   */
  renew(): Promise<{ lapsed: boolean; dead: NodeId[] }>;
  /** Agents whose softphone is connected to the gateway, a company at a time. */
  agentsOf(nodeId: NodeId): AsyncIterable<{ companyId: CompanyId; agentIds: AgentId[] }>;
  /** Removes a dead gateway, once its agents are released. Does nothing if it has renewed its lease. */
  retire(nodeId: NodeId): Promise<void>;
  /** Gives up the lease of this gateway. */
  leave(): Promise<void>;
  /**
   * For a task that one gateway runs for all: true for the first that asks, until the time is over.
   * @param name of what is done
   * @param forMs milliseconds
   */
  takeTurn(name: string, forMs: number): Promise<boolean>;
}

/**
 * How long a gateway believes that nobody is in a room to which it has sent something: one that could not be told
 * otherwise sends again then. Milliseconds.
 */
export const silenceBelievedMs = 5_000;

/** Who hears what is sent to a room of connections, at whichever gateway they are. */
export interface RoomHearers {
  /** Resolves when every room joined so far at this gateway is subscribed; while the transport is away, when it is back. */
  isHeard(): Promise<void>;
  /** Whether any gateway may have a connection in the room: false for a while after something was sent to nobody. */
  mayBeHeard(room: string): boolean;
  /** Somebody is in the room from now on. Null: in any room. */
  noteHearers(room: string | null): void;
}

/**
 * From gateway to gateway, addressed to exactly one. At most once; the messages of one sender arrive in the order
 * sent. A node that is not concerned does no work for it.
 */
export interface NodeChannel {
  /**
   * Gives a message to the node.
   * @returns false when no node of that id listens, so that it cannot arrive
   * Rejects when the transport is away; the message may have arrived nevertheless.
   */
  send(to: NodeId, message: string): Promise<boolean>;
  /** Listens no more. Messages on their way are dropped. May be called twice. */
  close(): Promise<void>;
}
