import type { LeasedReminder } from '../../ports/tasks.ts';
import { backgroundLooks } from '../concurrency/backgroundLooks.ts';
import { forEachConcurrently } from '../concurrency/forEachConcurrently.ts';
import type { Services } from '../services.ts';
import { dueEvents, everyTask, tellDue } from './tellTasks.ts';

/** Taken by a gateway in one look: what else it does comes first. */
const atOnce = 32;
/** A gateway that died while it told gives its tasks back after this. Milliseconds. */
const leaseMs = 15_000;
/** How often to look for what other gateways have set. Milliseconds. */
const pollMs = 10_000;
/** What is due is being taken by another gateway at this moment. Milliseconds. */
const lookAgainMs = 250;

export interface TaskReminders {
  start(): void;
  /** A task was set or changed: look when it is due. */
  wake(): void;
  /** Begins nothing more, and waits for what is under way. May be called twice. */
  stop(): Promise<void>;
}

type Needs = Pick<
  Services,
  'agentCard' | 'clock' | 'newId' | 'observer' | 'companyOf' | 'softphones' | 'tasks' | 'wakeDispatcher'
>;

/**
 * Announces tasks when they are due. One look, over all companies, takes what is due; the next comes when the next
 * one is due. Each is noted as fired once for its time, and told until a gateway has done so: whoever hears it twice
 * knows it by its version.
 */
export function createTaskReminders(services: Needs): TaskReminders {
  const { clock, observer, tasks } = services;
  const looks = backgroundLooks({
    clock,
    look,
    everyMs: pollMs,
    failed: (error) => observer.problem('tasks that are due could not be taken', error),
  });

  async function look(): Promise<number> {
    const now = clock.now();
    const leased = await tasks.lease(new Date(now), new Date(now + leaseMs), atOnce);
    await forEachConcurrently(leased, announce);
    const next = await tasks.nextDue();
    return next === null
      ? pollMs
      : Math.min(Math.max(next.getTime() - clock.now(), leased.length === atOnce ? 0 : lookAgainMs), pollMs);
  }

  /** Where that fails the lease ends by itself, and it is announced again. */
  async function announce(reminder: LeasedReminder): Promise<void> {
    try {
      const at = new Date(clock.now());
      const events = await dueEvents(services, reminder, at);
      const fired = await tasks.fire(reminder, at, events);
      if (fired === 'changed') return;
      if (fired === 'fired' && events.length > 0) services.wakeDispatcher(reminder.companyId);
      const task = await tasks.find(reminder.companyId, everyTask, reminder.id);
      if (task?.state === 'open') await tellDue(services, task);
      await tasks.reminded(reminder);
    } catch (error) {
      observer.problem('a task that is due could not be announced', error, { company_id: reminder.companyId });
    }
  }

  return { start: looks.start, wake: looks.wake, stop: looks.stop };
}
