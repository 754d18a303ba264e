import { LRUCache } from 'lru-cache';
import { silenceBelievedMs } from '../../ports/nodes.ts';

const believedAtMost = 50_000;

/** The channels to which nobody listened when something was last sent there, so that nothing more need be sent. */
export interface UnheardChannels {
  has(channel: string): boolean;
  /**
   * Something is being sent.
   * @returns takes how many have got it
   */
  sending(channel: string): (hearers: number) => void;
  /** Somebody may listen by now: what is being sent at this moment says nothing any more. Null: to any channel. */
  forget(channel: string | null): void;
}

/** @param now milliseconds */
export function createUnheardChannels(now: () => number = () => performance.now()): UnheardChannels {
  const unheard = new LRUCache<string, true>({
    max: believedAtMost,
    ttl: silenceBelievedMs,
    ttlResolution: 0,
    perf: { now },
  });
  let forgettings = 0;
  return {
    has: (channel) => unheard.has(channel),
    sending(channel) {
      const before = forgettings;
      const sentAt = now();
      return (hearers) => {
        if (hearers > 0) unheard.delete(channel);
        else if (forgettings === before) unheard.set(channel, true, { start: sentAt });
      };
    },
    forget(channel) {
      forgettings += 1;
      if (channel === null) unheard.clear();
      else unheard.delete(channel);
    },
  };
}
