import type { ScheduleReportRequest, ReportViewView } from '../../contract/reportViews.ts';
import type { ReportViewId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import { nextRun, type ReportRhythm } from '../../domain/reportViews.ts';
import { limitRate } from '../integrations/endpointRequest.ts';
import type { Services } from '../services.ts';
import { changedMeanwhile, noSuchView, type Person, shownView, withoutRange } from './manageViews.ts';
import { reportEvent, type SendNeeds } from './sendReport.ts';

type Needs = Pick<Services, 'clock' | 'reportSchedules' | 'reportViews' | 'wakeReportScheduler'>;

/** How often a company's reports are sent by hand: each is counted anew. */
const byHand = { limit: 20, windowSeconds: 10 * 60 };

/** Sets when the report of a shared view is sent by webhook, in place of what was set. */
export async function scheduleReport(
  services: Needs,
  person: Person,
  id: ReportViewId,
  body: ScheduleReportRequest,
): Promise<Outcome<ReportViewView>> {
  const { clock, reportSchedules, reportViews } = services;
  const view = await reportViews.find(person.companyId, person.agentId, id);
  if (view === null) return noSuchView;
  if (!view.isShared) {
    return refuse('conflict', 'Share the view first, so that every admin sees what is sent.', {
      cause: { code: 'view_is_not_shared' },
    });
  }
  if (view.filter.range === undefined) return withoutRange;
  const rhythm = rhythmOf(body);
  const now = new Date(clock.now());
  if (!(await reportSchedules.set(view, rhythm, nextRun(rhythm, now), now))) return changedMeanwhile(view.version + 1);
  services.wakeReportScheduler();
  return shownView(services, person, id);
}

function rhythmOf(body: ScheduleReportRequest): ReportRhythm {
  const clock = { timeOfDay: body.time, timeZone: body.time_zone };
  switch (body.every) {
    case 'day':
      return { every: 'day', ...clock };
    // The schema asks for the day of these.
    case 'week':
      return { every: 'week', weekday: body.weekday ?? 1, ...clock };
    case 'month':
      return { every: 'month', monthDay: body.month_day ?? 1, ...clock };
  }
}

/** The report of a view is no longer sent. */
export async function unscheduleReport(
  { reportSchedules, reportViews }: Needs,
  { agentId, companyId }: Person,
  id: ReportViewId,
): Promise<Outcome<null>> {
  if ((await reportViews.find(companyId, agentId, id)) === null) return noSuchView;
  return (await reportSchedules.remove(companyId, id)) ? ok(null) : notScheduled;
}

/**
 * Sends the report of a view now, as of now; its next run stays.
 * Refuses where nobody would get it, and nothing was sent then.
 */
export async function sendReportNow(
  services: Needs & SendNeeds & Pick<Services, 'counters' | 'wakeDispatcher'>,
  person: Person,
  id: ReportViewId,
  publicUrl: string | null,
): Promise<Outcome<ReportViewView>> {
  const { companyId, agentId } = person;
  const view = await services.reportViews.find(companyId, agentId, id);
  if (view === null) return noSuchView;
  if (view.schedule === null) return notScheduled;
  const tooMany = await limitRate(services.counters, `reports by hand of ${companyId}`, 'reports', byHand);
  if (tooMany !== null) return tooMany;
  const made = await reportEvent(services, view, {
    timeZone: view.schedule.rhythm.timeZone,
    scheduledFor: null,
    by: agentId,
    publicUrl,
  });
  if (made.kind === 'refused') return made;
  if (made.value === null) {
    return refuse(
      'conflict',
      'The webhook of the company does not get reports: choose report_ready in webhook_events.',
      { cause: { code: 'report_not_chosen' } },
    );
  }
  const fired = await services.reportSchedules.fireByHand(companyId, id, new Date(services.clock.now()), made.value);
  if (fired === 'changed') return notScheduled;
  if (fired === 'no_webhook')
    return refuse('conflict', 'No webhook_url is set.', { cause: { code: 'no_webhook_url' } });
  services.wakeDispatcher(companyId);
  return shownView(services, person, id);
}

const notScheduled = refuse('not_found', 'The report of this view is not sent by itself.');
