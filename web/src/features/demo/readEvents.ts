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
