import type { PresenceStore } from '../ports/presence.ts';
import type { SoftphoneRegistry } from './softphoneRegistry.ts';

/**
 * Notices that the presence store has lost what it held, and closes the lines of this node's softphones: they
 * connect again within a second or so and bring their session, state and call with them.
 * @returns one look, to be repeated
 */
export function createLostPresenceWatch({
  presence,
  registry,
}: {
  presence: PresenceStore;
  registry: SoftphoneRegistry;
}): () => Promise<void> {
  let known: string | null = null;
  return async () => {
    const epoch = await presence.epoch();
    const lost = known !== null && known !== epoch;
    known = epoch;
    if (!lost) return;
    // The line, not the session: a client whose session was ended would not come back by itself.
    for (const { socket } of registry.all()) socket.conn.close();
  };
}
