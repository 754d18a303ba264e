import { expect, it } from 'vitest';
import { ringOf } from '../../../../../web/src/features/workplace/call/toldCaller.ts';

const caller = { phoneNumber: '+15551230001', displayName: null };

it('what the network tells of a ring is told in one line, and cut, so that no call is lost for it', () => {
  expect(ringOf(caller)).toEqual({});
  expect(ringOf({ ...caller, sipCallId: 'a\u{0}b', dialedNumber: '80\r\n01\u{d800}', queue: 'Night\u{0}' })).toEqual({
    sip_call_id: 'a b',
    dialed_number: '80 01',
    queue: 'Night',
  });
  const long = 'x'.repeat(1_000);
  expect(ringOf({ ...caller, sipCallId: long, dialedNumber: long, queue: long })).toEqual({
    sip_call_id: 'x'.repeat(256),
    dialed_number: 'x'.repeat(256),
    queue: 'x'.repeat(200),
  });
});
