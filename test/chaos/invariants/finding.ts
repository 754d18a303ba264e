import type { AgentState } from '../../../src/contract/vocabulary.ts';
import type { Presence } from '../../../src/domain/presence.ts';
import type { Click, Ledger, Try } from '../ledger.ts';
import type { Pulse } from '../load/pulse.ts';
import type { CallRow, DeliveryRow } from '../records.ts';
import type { Fault } from '../world.ts';

/** How an agent stands when everything has come to rest: in Redis, and on the agent's own screen. */
export type Standing = {
  agentId: string;
  presence: Presence | null;
  screen: AgentState | null;
  screenVersion: number | null;
};

/** Everything there is to check after a scenario. */
export type Aftermath = {
  ledger: Ledger;
  calls: readonly CallRow[];
  deliveries: readonly DeliveryRow[];
  standings: readonly Standing[];
  faults: readonly Fault[];
  /** Whether a click may be left without an answer of a gateway: one was killed, or cut off, under it. */
  mayBreak: boolean;
  /** What the machine added to every answer. */
  pulse: Pick<Pulse, 'slowest'>;
};

/** What one invariant says. `figures`: what was counted; `violations`: one line of evidence each. */
export type Finding = { invariant: string; figures: Record<string, number>; violations: string[] };

export type Invariant = (aftermath: Aftermath) => Finding;

/** The answer that a click had in the end: its 201, else its last one. */
export function lastTry({ tries }: Click): Try | null {
  return tries.find(({ answer }) => answer?.kind === 'dialed') ?? tries.at(-1) ?? null;
}

/**
 * Whether a gateway has answered the click, and each time with a refusal that tells that nothing was or will be done.
 */
export function isRefused({ tries }: Click): boolean {
  return (
    tries.length > 0 && tries.every(({ answer }) => answer?.kind === 'refused' && answer.code !== 'outcome_unknown')
  );
}

/** Whether the gateway that was asked was down meanwhile. */
export function isCaught({ via, sentAt, answeredAt }: Try, faults: readonly Fault[]): boolean {
  return faults.some(
    ({ gateway, isDown, from, to }) => isDown && gateway === via && from <= (answeredAt ?? Infinity) && to >= sentAt,
  );
}

/** `evidence` for humans: what happened to a call, in order. */
export function storyOf(callId: string, { ledger, calls }: Aftermath): string {
  const row = calls.find(({ id }) => id === callId);
  const events = ledger.events.filter((event) => 'callId' in event && event.callId === callId);
  const told = events.map(
    (event) => `${event.at} ${event.kind}${'state' in event ? ` ${event.state}` : ''} at ${event.agentId.slice(-4)}`,
  );
  const record =
    row === undefined
      ? 'no record'
      : `record: ${row.state} ${row.endReason ?? ''} ${row.endDetail ?? ''} of agent ${row.agentId.slice(-4)}`;
  return `${record}; ${told.join(', ')}`;
}
