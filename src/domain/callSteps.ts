import type { Call } from './calls.ts';
import { type AgentId, toId } from './ids.ts';

/** What happened in the course of a call and its other fields do not tell. */
export type CallStep =
  | { step: 'held' | 'resumed'; at: Date }
  /** The telephone network has named another caller. */
  | { step: 'caller_changed'; at: Date }
  /** A supervisor freed its agent, which ended it. */
  | { step: 'freed'; at: Date; by: AgentId };

/** A call that is put on hold again and again keeps no more. */
export const mostSteps = 200;
/** No call is put through more often. */
export const mostCallerChanges = 20;

/**
 * What a change of a call has put on hold or taken back. Null: neither; a call that ends on hold says so by its end.
 */
export function holdStep(before: Call, after: Call): CallStep | null {
  if (before.heldAt === null) return after.heldAt === null ? null : { step: 'held', at: after.heldAt };
  if (after.heldAt !== null || after.state === 'ended') return null;
  return { step: 'resumed', at: new Date(before.heldAt.getTime() + after.holdMs - before.holdMs) };
}

/** Who did a step. `system`: the gateway of itself. */
export type StepBy = 'agent' | 'customer' | 'supervisor' | 'system';

/** A step in the course of a call. `person`: which supervisor or colleague, where that is known. */
export type CourseStep = {
  step:
    | 'dialed'
    | 'arrived'
    | 'rang'
    | 'answered'
    | 'held'
    | 'resumed'
    | 'caller_changed'
    | 'transferred'
    | 'ended'
    | 'wrapped_up';
  at: Date;
  /** Null: not known. */
  by: StepBy | null;
  person: AgentId | null;
};

/** What happened in a call, one after the other, of its own times and its steps. */
export function courseOfCall(call: Call, steps: readonly CallStep[]): CourseStep[] {
  const { answeredAt, createdAt, direction, disposition, endedAt, ringingAt, trigger } = call;
  const isInbound = direction === 'inbound';
  const course: CourseStep[] = [
    isInbound ? arrivalOf(call) : step('dialed', createdAt, trigger === 'manual_dial' ? 'agent' : null),
  ];
  // A call that comes in arrives ringing.
  if (ringingAt !== null && (!isInbound || ringingAt > createdAt)) course.push(step('rang', ringingAt, null));
  if (answeredAt !== null) course.push(step('answered', answeredAt, isInbound ? 'agent' : 'customer'));
  for (const one of steps) {
    if (one.step !== 'freed')
      course.push(step(one.step, one.at, call.platform === null && one.step !== 'caller_changed' ? 'agent' : null));
  }
  if (endedAt !== null) course.push(endOf(call, endedAt, steps));
  if (disposition !== null) course.push(step('wrapped_up', disposition.submittedAt, null));
  return course.toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

function arrivalOf({ createdAt, transferredFrom: from }: Call): CourseStep {
  return from === null
    ? step('arrived', createdAt, 'customer')
    : { ...step('arrived', createdAt, 'agent'), person: toId<AgentId>(from.agent_id) };
}

function endOf({ endDetail, endedBy, endReason }: Call, at: Date, steps: readonly CallStep[]): CourseStep {
  if (endReason === 'transferred') return step('transferred', at, endedBy);
  if (endDetail !== 'freed_by_supervisor') return step('ended', at, endedBy);
  const freed = steps.find((one) => one.step === 'freed');
  return { ...step('ended', at, 'supervisor'), person: freed?.by ?? null };
}

function step(what: CourseStep['step'], at: Date, by: StepBy | null): CourseStep {
  return { step: what, at, by, person: null };
}
