import { describe, expect, it } from 'vitest';
import { type CallState, type Media, silent } from '../../../../../web/src/features/workplace/call/callState.ts';
import {
  hasRoomBehind,
  mayTurn,
  stepsOf,
  type Turn,
  type TurnStep,
} from '../../../../../web/src/features/workplace/call/twoCalls.ts';

const idle: CallState = { phase: 'idle' };
const inPhase = (phase: 'ringing' | 'connected' | 'standing_by', media: Partial<Media> = {}): CallState => ({
  phase,
  session: {
    key: 1,
    since: 0,
    caller: null,
    record: { kind: 'known', callId: 'call', call: null },
    media: { ...silent, ...media },
  },
});
const talk = inPhase('connected');
const held = inPhase('connected', { isHeld: true });
const ring = inPhase('ringing');
const consulting = inPhase('connected', { consult: { to: '1002', step: 'talking', with: 'colleague' } });
const handingOn = inPhase('connected', { isTransferring: true });

describe('of two calls of a page', () => {
  it.each([
    ['one alone stays as it is', talk, idle, 'none', []],
    ['one that rings beside a talk rings', talk, ring, 'none', []],
    ['one that is to be answered waits until the other is put on hold', talk, ring, 'wanted', ['hold_front']],
    ['… for as long as that takes', talk, ring, 'holding', []],
    ['… and is answered then', held, ring, 'holding', ['exchange', 'forget', 'answer_front']],
    ['… or at once, where the other is on hold already', held, ring, 'wanted', ['exchange', 'forget', 'answer_front']],
    ['one on hold is gone on with in the same way', held, held, 'wanted', ['exchange', 'forget', 'resume_front']],
    ['the one that is heard comes to the front', held, talk, 'none', ['exchange']],
    ['the one that is left comes to the front', idle, ring, 'none', ['exchange', 'forget']],
    ['… on hold, as it is', idle, held, 'none', ['exchange', 'forget']],
    ['… and is answered, if that was wanted', idle, ring, 'holding', ['exchange', 'forget', 'answer_front']],
    ['where whoever rang is gone, the agent stays with the other', talk, idle, 'wanted', ['forget']],
    ['… whose hold is on its way', talk, idle, 'holding', ['return']],
    ['… which is waited for', talk, idle, 'returning', []],
    ['… and taken back, whoever calls meanwhile', held, ring, 'returning', ['forget', 'resume_front']],
    ['… unless the other is gone, too', idle, ring, 'returning', ['forget']],
    ['nothing is turned to once another page has the softphone', inPhase('standing_by'), held, 'wanted', ['forget']],
  ] satisfies [string, CallState, CallState, Turn, TurnStep[]][])('%s', (_, front, behind, turn, steps) => {
    expect(stepsOf(front, behind, turn)).toEqual(steps);
  });

  it('the second has a place beside a talk alone, and not while that is about to be handed on', () => {
    const fronts = [idle, ring, inPhase('standing_by'), consulting, handingOn, talk, held];
    expect(fronts.map((front) => hasRoomBehind(front, idle))).toEqual([...Array(5).fill(false), true, true]);
    expect(hasRoomBehind(talk, ring)).toBe(false);
  });

  it('the agent turns to one that rings or is on hold, unless the other is about to be handed on', () => {
    expect([ring, held, idle, inPhase('standing_by')].map((behind) => mayTurn(talk, behind))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([consulting, handingOn].map((front) => mayTurn(front, ring))).toEqual([false, false]);
  });
});
