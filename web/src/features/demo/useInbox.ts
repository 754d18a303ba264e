import { useEffect, useEffectEvent, useState } from 'react';
import type { DemoDelivery } from '../../../../src/contract/demo.ts';
import { readEvents } from './readEvents.ts';

/** After a stream has ended, by the gateway's restart for one. */
const againAfterMs = 2_000;

/** Of a page that stays open for days. */
const shownAtMost = 200;

/**
 * The webhooks that have arrived, the latest first, and whether more would be seen. `onDelivery` is told of each,
 * those of before the page was opened too.
 */
export function useInbox(token: string, onDelivery: (delivery: DemoDelivery) => void): { deliveries: DemoDelivery[]; isOpen: boolean } {
  const [deliveries, setDeliveries] = useState<DemoDelivery[]>([]);
  const [isOpen, setOpen] = useState(false);
  const tell = useEffectEvent(onDelivery);

  useEffect(() => {
    const giveUp = new AbortController();
    let last = '0';
    let again: ReturnType<typeof setTimeout> | undefined;
    async function read(): Promise<void> {
      const headers = { authorization: `Bearer ${token}`, 'last-event-id': last };
      const response = await fetch('/demo/inbox/events', { headers, signal: giveUp.signal });
      if (!response.ok || response.body === null) return;
      setOpen(true);
      for await (const { id, data } of readEvents(response.body)) {
        last = id ?? last;
        const delivery = JSON.parse(data) as DemoDelivery;
        setDeliveries((before) => [delivery, ...before].slice(0, shownAtMost));
        tell(delivery);
      }
    }
    function watch(): void {
      read()
        .catch(() => {
          // It is asked for again, like one that has ended.
        })
        .finally(() => {
          if (giveUp.signal.aborted) return;
          setOpen(false);
          again = setTimeout(watch, againAfterMs);
        });
    }
    watch();
    return () => {
      giveUp.abort();
      clearTimeout(again);
    };
  }, [token]);

  return { deliveries, isOpen };
}
