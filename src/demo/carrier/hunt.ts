import type { DemoRingResult } from '../../contract/demo.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Caller, Ringing } from './ringAgent.ts';
import type { Timings } from './takeCall.ts';

/** A caller is passed on no more often. */
const mostPassed = 5;

/**
 * Rings an agent as a queue does: who is away for a moment is rung again on coming back, and whom an agent names
 * instead (302) is rung for them.
 */
export interface Hunt {
  ring(user: string, caller: Caller): Pick<Ringing<DemoRingResult>, 'result' | 'cancel'>;
  /** That agent's telephone has registered. */
  takeRegistration(user: string): void;
  /** Nobody is waited for any more. */
  close(): void;
}

/** Ends a wait for an agent. */
type Wake = (how: 'back' | Exclude<DemoRingResult, 'answered'>) => void;

/** @param ringOnce rings the telephone that is there now */
export function createHunt(
  { clock, timings }: { clock: Clock; timings: Timings },
  ringOnce: (user: string, caller: Caller) => Ringing,
): Hunt {
  const waiting = new Map<Wake, string>();

  function isBack(user: string, keep: (wake: Wake) => void): Promise<Parameters<Wake>[0]> {
    return new Promise((resolve) => {
      const wake: Wake = (how) => {
        cancel();
        waiting.delete(wake);
        resolve(how);
      };
      const cancel = clock.after(timings.patience, () => wake('no_answer'));
      waiting.set(wake, user);
      keep(wake);
    });
  }

  return {
    ring(user, caller) {
      let giveUp = () => {};
      const hunt = async (): Promise<DemoRingResult> => {
        let whom = user;
        let passed = 0;
        for (;;) {
          const ringing = ringOnce(whom, caller);
          giveUp = () => ringing.cancel();
          const result = await ringing.result;
          const next = ringing.passedTo();
          if (result === 'passed_on' && next !== null && passed < mostPassed) {
            whom = next;
            passed += 1;
            continue;
          }
          // Any other number answers.
          if (result === 'not_registered' && passed > 0) return 'passed_on';
          if (result !== 'away') return result;
          const how = await isBack(whom, (wake) => (giveUp = () => wake('canceled')));
          if (how !== 'back') return how;
        }
      };
      return { result: hunt(), cancel: () => giveUp() };
    },
    takeRegistration(user) {
      for (const [wake, whom] of waiting) if (whom === user) wake('back');
    },
    close() {
      for (const wake of waiting.keys()) wake('failed');
    },
  };
}
