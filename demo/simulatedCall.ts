import { setTimeout as pause } from 'node:timers/promises';
import { SoftphoneRefusal, type Softphone } from '../src/client/softphone.ts';
import type { CallView } from '../src/contract/calls.ts';
import type { EndedBy, EndReason, ReportableCallState } from '../src/contract/vocabulary.ts';

/** What a telephone network would tell a softphone, and how long that takes. */
export type CallStep = {
  afterMs: number;
  state: ReportableCallState;
  endReason?: EndReason;
  endedBy?: Exclude<EndedBy, 'system'>;
};

const tries = 3;

/**
 * Plays the telephone network for one call: reports each step to the gateway after its pause. There is no audio
 * and no carrier.
 */
export async function playCall(
  softphone: Softphone,
  callId: string,
  steps: readonly CallStep[],
  onStep: (call: CallView) => void,
): Promise<void> {
  for (const step of steps) {
    await pause(step.afterMs);
    onStep(await report(softphone, callId, step));
  }
}

/** A report may be repeated: the line may have been down when its answer came. */
async function report(
  softphone: Softphone,
  callId: string,
  { state, endReason, endedBy }: CallStep,
): Promise<CallView> {
  const details = {
    ...(endReason === undefined ? {} : { end_reason: endReason }),
    ...(endedBy === undefined ? {} : { ended_by: endedBy }),
  };
  for (let left = tries; ; left--) {
    try {
      return await softphone.reportProgress(callId, state, details);
    } catch (error) {
      if (error instanceof SoftphoneRefusal || left <= 1) throw error;
    }
  }
}
