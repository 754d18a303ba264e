import type { TaskClosed } from '../contract/socket.ts';
import type { TaskView } from '../contract/tasks.ts';

type Listener = { onDue: (task: TaskView) => void; onClosed: (taskId: string) => void };

/** The tasks that are due at a softphone. What is told twice, or late, is known by its version. */
export class DueTasks {
  readonly #listener: Listener;
  readonly #due = new Map<string, TaskView>();
  /** Of those that are not due any more: as they were changed then. */
  readonly #closed = new Map<string, number>();

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  all(): readonly TaskView[] {
    return [...this.#due.values()];
  }

  show(task: TaskView): void {
    if (task.version <= (this.#due.get(task.id)?.version ?? 0) || task.version < (this.#closed.get(task.id) ?? 0))
      return;
    this.#closed.delete(task.id);
    this.#due.set(task.id, task);
    this.#listener.onDue(task);
  }

  close({ id, version }: TaskClosed): void {
    const shown = this.#due.get(id);
    if (shown !== undefined && shown.version >= version) return;
    this.#closed.set(id, version);
    if (this.#due.delete(id)) this.#listener.onClosed(id);
  }
}
