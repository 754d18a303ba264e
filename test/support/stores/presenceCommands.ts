import fc from 'fast-check';
import type { AgentState } from '../../../src/contract/vocabulary.ts';
import {
  type AgentId,
  type CallId,
  type ClaimId,
  type CompanyId,
  type Lease,
  type NodeId,
  type SessionId,
  toId,
} from '../../../src/domain/ids.ts';
import type { Presence, PresenceCommand } from '../../../src/domain/presence.ts';

/**
 * A step of a random story. It becomes a command only when the presence at that point is known: `current` steps name
 * the ids that are stored, so that most of them do something; the others name ids from elsewhere.
 */
export type Step = {
  type: PresenceCommand['type'];
  current: boolean;
  /** Milliseconds that pass before it. */
  wait: number;
  wanted: { state: 'ready' | 'not_ready' | 'offline'; reason: string | null };
  byWhom: 'softphone' | 'supervisor';
  force: boolean;
  wrapUpMs: number;
  failure: 'delivery_failed' | 'rejected';
  miss: 'no_answer' | 'rejected';
  /** About the second call, or the first that waits to be wrapped up, where there is one. */
  ofSecond: boolean;
};

const types: PresenceCommand['type'][] = [
  ...(['open_session', 'lose_connection', 'ask', 'claim', 'ring', 'confirm', 'answer', 'fail_offer'] as const),
  ...(['miss_ring', 'cancel', 'dial_by_hand', 'drop_unrecorded', 'keep_recorded', 'end_call'] as const),
  ...(['finish_wrap_up', 'restore_call', 'fall_due', 'follow_platform', 'leave_platform', 'pass_to_platform'] as const),
];

/** Waits that often end just before, at or just after a deadline. */
const waits = [0, 0, 0, 1, 500, 7_999, 8_000, 15_000, 29_999, 30_000, 120_000, 270_000, 300_000];

/** A random step. Going Ready and claims come more often than the rest, so that stories get somewhere. */
export const step: fc.Arbitrary<Step> = fc.record({
  type: fc.constantFrom(...types, 'open_session', 'ask', 'ask', 'ask', 'claim', 'claim', 'confirm', 'ring', 'end_call'),
  current: fc.boolean().chain((one) => fc.boolean().map((other) => one || other)),
  wait: fc.constantFrom(...waits),
  wanted: fc.constantFrom<Step['wanted']>(
    ...([
      { state: 'ready', reason: null },
      { state: 'ready', reason: null },
    ] as const),
    ...([
      { state: 'not_ready', reason: 'break' },
      { state: 'not_ready', reason: null },
    ] as const),
    { state: 'offline', reason: null },
  ),
  byWhom: fc.constantFrom('softphone', 'softphone', 'supervisor'),
  force: fc.boolean(),
  wrapUpMs: fc.constantFrom(0, 1_000, 30_000),
  failure: fc.constantFrom('delivery_failed', 'rejected'),
  miss: fc.constantFrom('no_answer', 'rejected'),
  ofSecond: fc.boolean(),
});

type IdSource = <T extends CompanyId | AgentId | CallId | ClaimId | SessionId | Lease | NodeId>() => T;

/** Numbers ids through a story, so that a failing story reads the same each time. */
export function createIdSource(): IdSource {
  let count = 0;
  return () => toId(`00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`);
}

/** What a platform says in a random story: of a call where the story wants wrap-up, else a state. */
function said(
  { failure, wanted, wrapUpMs }: Step,
  callId: CallId,
): { state: AgentState; reason: string | null; callId: CallId | null } {
  if (wrapUpMs === 30_000 && failure === 'rejected') return { state: 'wrap_up', reason: null, callId: null };
  return wrapUpMs === 0
    ? { ...wanted, callId: null }
    : { state: wrapUpMs === 1_000 ? 'reserved' : 'on_call', reason: null, callId };
}

/** The command that a step means for this presence. */
export function commandOf(
  step: Step,
  who: { companyId: CompanyId; agentId: AgentId },
  presence: Presence | null,
  newId: IdSource,
  now: number,
): PresenceCommand {
  const stored = step.current ? presence : null;
  const lease = stored?.lease ?? newId<Lease>();
  const second = step.ofSecond ? (stored?.second ?? stored?.toWrapUp[0]) : undefined;
  const callId = second?.callId ?? stored?.callId ?? newId<CallId>();
  const claimId = stored?.claimId ?? newId<ClaimId>();
  const sessionId = stored?.sessionId ?? newId<SessionId>();
  const unforced = step.failure === 'rejected' ? 'platform' : 'nobody';
  const { type } = step;
  switch (type) {
    case 'open_session':
      return { type, ...who, sessionId, resumes: step.force, lease: newId<Lease>(), nodeId: newId<NodeId>() };
    case 'ask':
      return { type, wanted: step.wanted, lease: step.byWhom === 'softphone' ? lease : null, force: step.force };
    case 'claim':
      return { type, claimId: newId<ClaimId>(), callId: newId<CallId>() };
    case 'ring':
      return {
        type,
        claimId: newId<ClaimId>(),
        callId: newId<CallId>(),
        lease,
        takesSecond: step.byWhom === 'softphone',
      };
    case 'await_ring':
    case 'confirm':
      return { type, claimId, sessionId };
    case 'fail_offer':
      return { type, claimId, reason: step.failure };
    case 'miss_ring':
      return { type, callId, reason: step.miss };
    case 'dial_by_hand':
      return { type, callId: newId<CallId>(), lease };
    case 'end_call':
      return { type, callId, wrapUpMs: step.wrapUpMs };
    case 'extend_wrap_up':
      return { type, callId, lease, maxMs: 2 * step.wrapUpMs };
    case 'restore_call':
      return { type, ...who, callId: newId<CallId>(), lostSince: now - 1_000 };
    case 'follow_platform':
      return {
        type,
        ...who,
        said: {
          connector: step.byWhom === 'softphone' ? 'genesys' : 'push',
          ...said(step, presence?.platform?.callId ?? newId<CallId>()),
          dialsBy: step.force ? 'softphone' : unforced,
        },
        onlyForCall: step.byWhom !== 'softphone',
      };
    case 'pass_to_platform':
      return {
        type,
        claimId,
        connector: step.byWhom === 'softphone' ? 'genesys' : 'push',
        onlyForCall: presence?.platform == null,
      };
    case 'leave_platform':
      return { type, connector: step.byWhom === 'softphone' ? 'genesys' : 'push' };
    case 'lose_connection':
    case 'keep_connection':
      return { type, lease };
    case 'offer_unreachable':
      return { type, claimId };
    case 'rename':
    case 'fall_due':
      return { type };
    default:
      return { type, callId };
  }
}
