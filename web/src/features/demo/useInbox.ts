import { useEffect, useEffectEvent, useState } from 'react';
import type { DemoDelivery } from '../../../../src/contract/demo.ts';

/** After a stream has ended, by the gateway's restart for one. */
const againAfterMs = 2_000;

/** Of a page that stays open for days. */
const shownAtMost = 200;

/**
 * The webhooks that have arrived, the latest first, and whether more would be seen. `onDelivery` is told of each,
 * those of before the page was opened too.
 */
export function useInbox(
  token: string,
  onDelivery: (delivery: DemoDelivery) => void,
): { deliveries: DemoDelivery[]; isOpen: boolean } {
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

/** One event of a stream of server-sent events. */
export type StreamEvent = { id: string | null; event: string; data: string };

/**
 * Reads server-sent events from a body as they arrive; the browser's own EventSource cannot send a token. Ends with the
 * body, throws when it breaks.
 */
export async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseEvent(block);
      if (event !== null) yield event;
    }
  }
}

/** Null: a comment, by which the server says that it is alive. */
function parseEvent(block: string): StreamEvent | null {
  const event: StreamEvent = { id: null, event: 'message', data: '' };
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^(id|event|data): ?(.*)$/.exec(line) ?? [];
    if (name === 'id') event.id = value;
    else if (name === 'event') event.event = value;
    else if (name === 'data') data.push(value);
  }
  return data.length === 0 ? null : { ...event, data: data.join('\n') };
}
