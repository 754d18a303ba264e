import type { NodeId } from '../domain/ids.ts';

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
