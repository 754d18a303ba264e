import type { CreateReportViewRequest, ReportViewView, UpdateReportViewRequest } from '../../contract/reportViews.ts';
import type { Principal } from '../../domain/access.ts';
import { type ReportViewId, toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse, type Refused } from '../../domain/outcome.ts';
import type { ReportRhythm, ReportView } from '../../domain/reportViews.ts';
import type { ShownView } from '../../ports/reportViews.ts';
import type { Services } from '../services.ts';

export type Person = Extract<Principal, { kind: 'agent' }>;
type Needs = Pick<Services, 'clock' | 'reportViews'>;

/** How many views one person can have. */
const maxViews = 100;

/** Those of whoever asks, and those that are shared. */
export async function listViews(
  { reportViews }: Pick<Services, 'reportViews'>,
  { agentId, companyId }: Person,
): Promise<{ views: ReportViewView[] }> {
  return { views: (await reportViews.list(companyId, agentId)).map(viewView) };
}

/** Keeps filters under a name. Refuses more views than one person can have. */
export async function createView(
  { clock, newId, reportViews }: Needs & Pick<Services, 'newId'>,
  person: Person,
  { filter, name, shared }: CreateReportViewRequest,
): Promise<Outcome<ReportViewView>> {
  const { agentId: ownerId, companyId } = person;
  const at = new Date(clock.now());
  const view: ReportView = {
    companyId,
    id: toId<ReportViewId>(newId()),
    ownerId,
    name,
    isShared: shared,
    filter,
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
  if ((await reportViews.create(view, maxViews)) === 'too_many') {
    return refuse('conflict', `One person has at most ${maxViews} views.`, {
      cause: { code: 'too_many_views', params: { max: maxViews } },
    });
  }
  return shownView({ reportViews }, person, view.id);
}

/**
 * Changes a view. A shared one is for its owner and admins to change, one whose report is sent for admins alone;
 * that one stays shared, so that every admin sees what is sent.
 * @param expected the version that the caller has read: another one now is refused. Null: whatever it is
 */
export async function updateView(
  { clock, reportViews }: Needs,
  person: Person,
  id: ReportViewId,
  body: UpdateReportViewRequest,
  expected: number | null,
): Promise<Outcome<ReportViewView>> {
  const found = await findOwnView({ reportViews }, person, id);
  if (found.kind === 'refused') return found;
  const before = found.value;
  if (expected !== null && expected !== before.version) return changedMeanwhile(before.version);
  const { name = before.name, shared = before.isShared, filter = before.filter } = body;
  if (before.schedule !== null && !shared) return isScheduled;
  if (before.schedule !== null && filter.range === undefined) return withoutRange;
  const { companyId, createdAt, ownerId, version } = before;
  const after: ReportView = {
    companyId,
    id,
    ownerId,
    name,
    isShared: shared,
    filter,
    version: version + 1,
    createdAt,
    updatedAt: new Date(clock.now()),
  };
  return (await reportViews.update(after)) === 'updated'
    ? shownView({ reportViews }, person, id)
    : changedMeanwhile(before.version + 1);
}

/** Forgets a view, and when its report was to be sent. */
export async function removeView(
  { reportViews }: Pick<Services, 'reportViews'>,
  person: Person,
  id: ReportViewId,
): Promise<Outcome<null>> {
  const found = await findOwnView({ reportViews }, person, id);
  if (found.kind === 'refused') return found;
  return (await reportViews.remove(person.companyId, id, found.value.version))
    ? ok(null)
    : changedMeanwhile(found.value.version + 1);
}

/** A view that this person may change. */
async function findOwnView(
  { reportViews }: Pick<Services, 'reportViews'>,
  person: Person,
  id: ReportViewId,
): Promise<Outcome<ShownView>> {
  const found = await reportViews.find(person.companyId, person.agentId, id);
  if (found === null) return noSuchView;
  if (person.role === 'admin') return ok(found);
  if (found.ownerId !== person.agentId)
    return refuse('role_required', 'A shared view is changed by its owner, or by an admin.');
  return found.schedule === null ? ok(found) : isScheduled;
}

/** A view as it is now, for whoever may see it. */
export async function shownView(
  { reportViews }: Pick<Services, 'reportViews'>,
  { agentId, companyId }: Person,
  id: ReportViewId,
): Promise<Outcome<ReportViewView>> {
  const found = await reportViews.find(companyId, agentId, id);
  return found === null ? noSuchView : ok(viewView(found));
}

export const noSuchView = refuse('not_found', 'There is no such view.');
export const withoutRange = refuse(
  'invalid_request',
  'A report that is sent again and again needs a range, ' +
    'such as “yesterday”: fixed times would tell the same each time.',
  {
    cause: { code: 'view_without_range' },
  },
);
const isScheduled = refuse(
  'conflict',
  'The report of this view is sent by itself: an admin changes the view, and it stays shared while it is sent.',
  { cause: { code: 'view_is_scheduled' } },
);

export function changedMeanwhile(version: number): Refused {
  return refuse('conflict', 'The view was changed meanwhile.', {
    cause: { code: 'changed_meanwhile', params: { version } },
  });
}

function viewView({
  createdAt,
  filter,
  id,
  isShared,
  name,
  ownerId,
  ownerName,
  schedule,
  updatedAt,
  version,
}: ShownView): ReportViewView {
  const lastRun = schedule?.lastRun ?? null;
  return {
    id,
    name,
    shared: isShared,
    filter,
    owner: { id: ownerId, name: ownerName },
    schedule:
      schedule === null
        ? null
        : {
            when: rhythmView(schedule.rhythm),
            next_run_at: schedule.nextAt.toISOString(),
            last_run:
              lastRun === null
                ? null
                : { at: lastRun.at.toISOString(), outcome: lastRun.outcome, delivery_id: lastRun.deliveryId },
          },
    version,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

function rhythmView(rhythm: ReportRhythm): NonNullable<ReportViewView['schedule']>['when'] {
  const clock = { time: rhythm.timeOfDay, time_zone: rhythm.timeZone };
  switch (rhythm.every) {
    case 'day':
      return { every: 'day', ...clock };
    case 'week':
      return { every: 'week', weekday: rhythm.weekday, ...clock };
    case 'month':
      return { every: 'month', month_day: rhythm.monthDay, ...clock };
  }
}
