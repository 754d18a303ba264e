import { describe, expect, it } from 'vitest';
import { hourRows, quarterRows, totalOf } from '../../../../web/src/features/wallboard/trends/trendData.ts';

const midnight = Date.parse('2026-11-24T23:00:00.000Z');
const at = (quarter: number) => new Date(midnight + quarter * 900_000).toISOString();
const quarter = (place: number, changes: object = {}) => ({
  at: at(place),
  inbound_answered: 0,
  inbound_missed: 0,
  outbound_answered: 0,
  outbound_unanswered: 0,
  ready: 0,
  on_call: 0,
  ...changes,
});

describe('the trends of a day', () => {
  // Ready from 08:30 on.
  const quarters = Array.from({ length: 39 }, (_, place) =>
    quarter(
      place,
      place < 34 ? {} : { ready: 2, on_call: 1.5, inbound_answered: place === 36 ? 3 : 0, outbound_unanswered: 1 },
    ),
  );

  it('begin with the hour in which something was, and have the clicks of their quarters', () => {
    const click = (place: number) => ({ at: at(place), dialed: 5, no_ready_agent: 1, agent_not_ready: 2, failed: 3 });
    // Yesterday's are no part of it.
    const rows = quarterRows({ quarters }, [click(-4), click(37)]);
    expect(rows).toHaveLength(7);
    expect(rows[0]).toMatchObject({ at: at(32), ready: 0 });
    expect(rows[5]).toEqual({
      at: at(37),
      inboundAnswered: 0,
      inboundMissed: 0,
      outboundAnswered: 0,
      outboundUnanswered: 1,
      dialed: 5,
      refused: 6,
      ready: 2,
      onCall: 1.5,
    });
    expect(totalOf(rows)).toEqual({
      inboundAnswered: 3,
      inboundMissed: 0,
      outboundAnswered: 0,
      outboundUnanswered: 5,
      dialed: 5,
      refused: 6,
    });
  });

  it('are told by hours, the last one as far as it has gone', () => {
    expect(hourRows(quarterRows({ quarters }, []))).toMatchObject([
      { at: at(32), outboundUnanswered: 2, ready: 1, onCall: 0.8 },
      { at: at(36), inboundAnswered: 3, outboundUnanswered: 3, ready: 2, onCall: 1.5 },
    ]);
  });

  it('are none where nothing was', () => {
    expect(quarterRows({ quarters: [quarter(0), quarter(1)] }, [])).toEqual([]);
  });
});
