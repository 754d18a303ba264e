import type { Program } from '../../../demo/cluster/program.ts';
import { eventually } from '../../support/time/waiting.ts';
import type { HeardSound } from './heardSound.ts';

/** How a call stands at the telephone. */
export type CallStep = 'rings' | 'calls' | 'talks' | 'isHeld' | 'holds';

/** Where a telephone registers, and as what. */
export type Account = { user: string; secret: string; sipPort: number };

/** A telephone that others have written, as an account of the PBX; it speaks a tone of its own. */
export interface ForeignPhone {
  readonly user: string;
  readonly sound: HeardSound;
  /** Calls in progress, by the name that the telephone gives each, the oldest first. */
  calls(): ReadonlyMap<string, CallStep>;
  call(user: string): Promise<void>;
  /** Takes the call that rings. */
  answer(): Promise<void>;
  decline(): Promise<void>;
  /** Of the only call. */
  hangUp(): Promise<void>;
  hold(): Promise<void>;
  resume(): Promise<void>;
  /** The keys that others have pressed during a call with it. */
  keysHeard(): string;
  /** What it has written; for looking at when something went wrong. */
  said(): string;
  stop(): Promise<void>;
}

/** Waits until its calls stand exactly so, the oldest first; none: it is free. */
export async function stands(phone: ForeignPhone, ...steps: CallStep[]): Promise<void> {
  await eventually(() => {
    const now = [...phone.calls().values()];
    if (now.join() !== steps.join())
      throw new Error(`the calls of ${phone.user} stand at ${now.join() || 'none'}, and not ${steps.join() || 'none'}`);
  });
}

/** Rejects when it ends before that has come. */
export async function unlessEnded<T>(program: Program, coming: Promise<T>): Promise<T> {
  const end = program.ended.then(({ code, stdout, stderr }) => {
    throw new Error(`a telephone ended with ${code}:\n${stdout}${stderr}`);
  });
  end.catch(() => undefined);
  return Promise.race([coming, end]);
}
