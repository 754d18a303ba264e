import type { ReportFilter } from '../../../contract/reports.ts';
import type { AgentId, CompanyId, DeliveryId, ReportViewId } from '../../../domain/ids.ts';
import type { LastRun, ReportOutcome, ReportRhythm, ReportSchedule, ReportView } from '../../../domain/reportViews.ts';
import type { ReportViewStore, ShownView } from '../../../ports/reportViews.ts';
import type { ReportSchedule as StoredSchedule, ReportView as StoredView } from '../generated/client.ts';
import type { StoreParts } from '../pool.ts';
import { textFor } from '../storableValues.ts';

const shown = { owner: { select: { name: true } }, schedule: true } as const;

/** Views of reports in PostgreSQL. */
export function createReportViewStore({ prisma }: Pick<StoreParts, 'prisma'>): ReportViewStore {
  const seenBy = (ownerId: AgentId) => ({ OR: [{ ownerId }, { isShared: true }] });

  return {
    async create(view, atMost) {
      const { companyId, ownerId } = view;
      if ((await prisma.reportView.count({ where: { companyId, ownerId } })) >= atMost) return 'too_many';
      await prisma.reportView.create({ data: { ...view, name: textFor('name', view.name) } });
      return 'created';
    },

    async list(companyId, ownerId) {
      const rows = await prisma.reportView.findMany({
        where: { companyId, ...seenBy(ownerId) },
        include: shown,
        orderBy: [{ name: 'asc' }, { id: 'asc' }],
      });
      return rows.map(readShown);
    },

    async find(companyId, ownerId, id) {
      const row = await prisma.reportView.findFirst({ where: { companyId, id, ...seenBy(ownerId) }, include: shown });
      return row === null ? null : readShown(row);
    },

    async update({ companyId, id, name, isShared, filter, version, updatedAt }) {
      const data = { name: textFor('name', name), isShared, filter, version, updatedAt };
      return (await prisma.reportView.updateMany({ where: { companyId, id, version: version - 1 }, data })).count > 0
        ? 'updated'
        : 'not_updated';
    },

    remove: async (companyId, id, version) =>
      (await prisma.reportView.deleteMany({ where: { companyId, id, version } })).count > 0,
  };
}

function readShown({
  owner,
  schedule,
  ...row
}: StoredView & { owner: { name: string }; schedule: StoredSchedule | null }): ShownView {
  return { ...readView(row), ownerName: owner.name, schedule: schedule === null ? null : readSchedule(schedule) };
}

/** Reads a row of `report_view`. */
export function readView(row: StoredView): ReportView {
  return {
    ...row,
    companyId: row.companyId as CompanyId,
    id: row.id as ReportViewId,
    ownerId: row.ownerId as AgentId,
    filter: row.filter as ReportFilter,
  };
}

function readSchedule(row: StoredSchedule): ReportSchedule {
  return {
    companyId: row.companyId as CompanyId,
    viewId: row.viewId as ReportViewId,
    rhythm: readRhythm(row),
    nextAt: row.nextAt,
    lastRun: readLastRun(row),
  };
}

/** Reads when a report is sent. */
export function readRhythm({
  every,
  monthDay,
  timeOfDay,
  timeZone,
  weekday,
}: Pick<StoredSchedule, 'every' | 'monthDay' | 'timeOfDay' | 'timeZone' | 'weekday'>): ReportRhythm {
  if (every === 'week' && weekday !== null) return { every, weekday, timeOfDay, timeZone };
  if (every === 'month' && monthDay !== null) return { every, monthDay, timeOfDay, timeZone };
  return { every: 'day', timeOfDay, timeZone };
}

function readLastRun({ lastAt, lastDeliveryId, lastOutcome }: StoredSchedule): LastRun | null {
  if (lastAt === null || lastOutcome === null) return null;
  return { at: lastAt, outcome: lastOutcome as ReportOutcome, deliveryId: lastDeliveryId as DeliveryId | null };
}
