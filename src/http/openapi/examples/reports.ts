import { ada } from './story.ts';

const figures = { calls: 14, outbound: 9, inbound: 5, answered: 11, missed: 1, talk_seconds: 2_913, answer_seconds: 6.4 };
const times = { signed_in_seconds: 14_400, wrap_up_seconds: 1_260, occupancy: 0.314 };

/** Reports. */
export const reportExamples = {
  reportCalls: {
    answer: {
      since: '2026-11-20T23:00:00.000Z',
      until: '2026-11-21T10:20:00.000Z',
      time_zone: 'Europe/Berlin',
      group_by: 'agent',
      rows: [{ key: ada.id, name: ada.name, ...figures, ...times }],
      total: { ...figures, ...times, clicks_refused: 2 },
    },
  },
  reportCallsAsCsv: {
    answer: 'day,name,calls,outbound,inbound,answered,missed,talk_seconds,answer_seconds,signed_in_seconds,wrap_up_seconds,occupancy\r\n2026-11-21,,14,9,5,11,1,2913,6.4,,,\r\ntotal,,14,9,5,11,1,2913,6.4,14400,1260,0.314\r\n',
  },
};
