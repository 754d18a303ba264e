import { ada, deliveryId } from './story.ts';

const figures = {
  calls: 14,
  conversations: 12,
  outbound: 9,
  inbound: 5,
  answered: 11,
  missed: 1,
  transferred: 2,
  talk_seconds: 2_913,
  hold_seconds: 212,
  mos: 4.31,
  mos_median: 4.36,
  mos_worst: 2.84,
  answer_seconds: 6.4,
};
const times = { signed_in_seconds: 14_400, wrap_up_seconds: 1_260, occupancy: 0.314 };

const csv =
  'day,name,calls,outbound,inbound,answered,missed,talk_seconds,answer_seconds,signed_in_seconds,wrap_up_seconds,' +
  'occupancy,hold_seconds,mos,transferred,clicks_refused,mos_median,mos_worst,conversations\r\n' +
  '2026-11-20,,14,9,5,11,1,2913,6.4,14400,1260,0.314,212,4.31,2,2,4.36,2.84,12\r\n' +
  'total,,14,9,5,11,1,2913,6.4,14400,1260,0.314,212,4.31,2,2,4.36,2.84,12\r\n';

export const viewId = '01a1fd9c-4f10-7a33-8c55-51f0d2a9b7e4';
const unscheduled = {
  id: viewId,
  name: 'Yesterday by agent',
  shared: true,
  filter: { range: 'yesterday', group_by: 'agent' },
  owner: { id: ada.id, name: ada.name },
  schedule: null,
  version: 1,
  created_at: '2026-11-21T10:20:00.000Z',
  updated_at: '2026-11-21T10:20:00.000Z',
};
const when = { every: 'day', time: '07:00', time_zone: 'Europe/Berlin' };
const scheduled = {
  ...unscheduled,
  schedule: { when, next_run_at: '2026-11-22T06:00:00.000Z', last_run: null },
  version: 2,
};

/** Of `report_ready`. */
export const readyReport = {
  view: { id: viewId, name: 'Yesterday by day' },
  scheduled_for: '2026-11-21T06:00:00.000Z',
  requested_by: null,
  since: '2026-11-19T23:00:00.000Z',
  until: '2026-11-20T23:00:00.000Z',
  time_zone: 'Europe/Berlin',
  group_by: 'day',
  rows: 1,
  csv,
  download_url: null,
  download_until: null,
};

/** Reports. */
export const reportExamples = {
  reportCalls: {
    answer: {
      since: '2026-11-20T23:00:00.000Z',
      until: '2026-11-21T10:20:00.000Z',
      time_zone: 'Europe/Berlin',
      group_by: 'agent',
      rows: [{ key: ada.id, name: ada.name, ...figures, ...times, clicks_refused: null }],
      total: { ...figures, ...times, clicks_refused: 2 },
    },
  },
  readOwnDay: {
    answer: {
      since: '2026-11-20T23:00:00.000Z',
      until: '2026-11-21T10:20:00.000Z',
      time_zone: 'Europe/Berlin',
      ...figures,
      ...times,
      callbacks_due: 2,
    },
  },
  readDayTrends: {
    answer: {
      since: '2026-11-20T23:00:00.000Z',
      until: '2026-11-20T23:20:00.000Z',
      time_zone: 'Europe/Berlin',
      quarters: [
        {
          at: '2026-11-20T23:00:00.000Z',
          inbound_answered: 4,
          inbound_missed: 1,
          outbound_answered: 7,
          outbound_unanswered: 2,
          ready: 5.2,
          on_call: 3.8,
        },
        {
          at: '2026-11-20T23:15:00.000Z',
          inbound_answered: 1,
          inbound_missed: 0,
          outbound_answered: 2,
          outbound_unanswered: 0,
          ready: 4.9,
          on_call: 4.1,
        },
      ],
    },
  },
  reportCallsAsCsv: { answer: csv },
  readReportFile: { answer: csv },
  listReportViews: { answer: { views: [scheduled] } },
  createReportView: { body: { name: unscheduled.name, shared: true, filter: unscheduled.filter }, answer: unscheduled },
  updateReportView: {
    body: { name: 'Every agent, yesterday', version: 1 },
    answer: { ...unscheduled, name: 'Every agent, yesterday', version: 2 },
  },
  scheduleReport: { body: when, answer: scheduled },
  sendReportNow: {
    answer: {
      ...scheduled,
      schedule: {
        ...scheduled.schedule,
        last_run: { at: '2026-11-21T10:21:00.000Z', outcome: 'sent', delivery_id: deliveryId },
      },
    },
  },
};
