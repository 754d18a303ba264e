import type { MessageNotice } from '../contract/messages.ts';

type Listener = { onMessage: (message: MessageNotice) => void; onClosed: (messageId: string) => void };

/**
 * What supervisors wrote to the agent of a softphone. What is told twice, or after it was closed, is known by its id.
 */
export class UnreadMessages {
  readonly #listener: Listener;
  readonly #unread = new Map<string, MessageNotice>();
  readonly #closed = new Set<string>();

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  all(): readonly MessageNotice[] {
    return [...this.#unread.values()];
  }

  show(message: MessageNotice): void {
    if (this.#unread.has(message.id) || this.#closed.has(message.id)) return;
    this.#unread.set(message.id, message);
    this.#listener.onMessage(message);
  }

  close(id: string): void {
    this.#closed.add(id);
    if (this.#unread.delete(id)) this.#listener.onClosed(id);
  }
}
