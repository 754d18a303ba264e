import { Cluster } from 'ioredis';

/**
 * Least time between two readings of the slots: a server that is down would otherwise cause one at every command.
 * Milliseconds.
 */
const readAgainMs = 100;

/** What the library does with a command that failed; `defaults`: fails it. */
type Ways = { defaults(): void };

/**
 * A Redis Cluster that emits `suspect` whenever a later command may reach a server that might not hold the same data as
 * before.
 *
 * A command that comes to a server that does not hold its slot any more fails with an error that starts with `MOVED`,
 * having done nothing. The library would send it on at once, to a server that may lack the latest writes of the old one
 * and that nobody has looked at yet. The slots are read anew right away.
 */
export class WatchedCluster extends Cluster {
  private primaries = '';
  private lastReadAt = -Infinity;

  constructor(...start: ConstructorParameters<typeof Cluster<'legacy'>>) {
    super(...start);
    const markSuspect = () => void this.emit('suspect');
    this.on('+node', markSuspect);
    this.on('close', markSuspect);
    this.on('-node', () => {
      markSuspect();
      this.readSlots();
    });
    this.on('refresh', () => {
      const primaries = this.slots.map(([primary]) => primary).join();
      if (primaries !== this.primaries) markSuspect();
      this.primaries = primaries;
      // Before, the library itself needs one that nobody uses yet.
      if (this.status === 'ready') void this.reachPrimaries();
    });
    this.on('ready', () => void this.reachPrimaries());
  }

  override handleError(error: Error, redirections: { value?: number }, ways: Ways): void {
    if (!error.message.startsWith('MOVED ')) return super.handleError(error, redirections, ways);
    this.emit('suspect');
    this.readSlots();
    ways.defaults();
  }

  /**
   * Connects to the primaries without a connection. Otherwise the first command to each would connect,
   * and further commands would fail meanwhile. Resolves when each has answered or failed.
   */
  async reachPrimaries(): Promise<void> {
    const unreached = this.nodes('master').filter(({ status }) => status !== 'ready');
    await Promise.allSettled(unreached.map((primary) => primary.ping()));
  }

  /** Reads anew which server holds which slot, unless that has just been done. */
  readSlots(): void {
    if (this.status !== 'ready' || performance.now() - this.lastReadAt < readAgainMs) return;
    this.lastReadAt = performance.now();
    this.refreshSlotsCache();
  }
}
