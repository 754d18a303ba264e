import { describe, expect, it } from 'vitest';
import { asksForWrapUp, isMissed, type CallCourse } from '../../src/contract/callRules.ts';

describe('a call that is over', () => {
  const course = (changes: Partial<CallCourse>): CallCourse => ({
    direction: 'inbound',
    wasAnswered: false,
    endDetail: null,
    ...changes,
  });

  it.each<[string, Partial<CallCourse>, { missed: boolean; wrappedUp: boolean }]>([
    ['inbound and answered', { wasAnswered: true }, { missed: false, wrappedUp: true }],
    [
      'inbound and answered, of a softphone that was lost',
      { wasAnswered: true, endDetail: 'softphone_lost' },
      { missed: false, wrappedUp: true },
    ],
    ['inbound and never answered', {}, { missed: true, wrappedUp: false }],
    ['inbound and rang for too long', { endDetail: 'ring_lapsed' }, { missed: true, wrappedUp: false }],
    [
      'inbound and taken by another telephone',
      { endDetail: 'answered_elsewhere' },
      { missed: false, wrappedUp: false },
    ],
    ['inbound and passed on', { endDetail: 'passed_on' }, { missed: false, wrappedUp: false }],
    ['outbound and answered', { direction: 'outbound', wasAnswered: true }, { missed: false, wrappedUp: true }],
    ['outbound and never answered', { direction: 'outbound' }, { missed: false, wrappedUp: true }],
    [
      'outbound and never dialed',
      { direction: 'outbound', endDetail: 'not_dialed' },
      { missed: false, wrappedUp: false },
    ],
  ])('%s', (_, changes, expected) => {
    expect({ missed: isMissed(course(changes)), wrappedUp: asksForWrapUp(course(changes)) }).toEqual(expected);
  });
});
