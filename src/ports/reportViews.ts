import type { AgentId, CompanyId, ReportViewId } from '../domain/ids.ts';
import type { ReportOutcome, ReportRhythm, ReportSchedule, ReportView } from '../domain/reportViews.ts';
import type { OutboxEvent } from './outbox.ts';

/** A view with what is shown of it. */
export type ShownView = ReportView & { ownerName: string; schedule: ReportSchedule | null };

export interface ReportViewStore {
  /** `too_many`: its owner has `atMost` already. */
  create(view: ReportView, atMost: number): Promise<'created' | 'too_many'>;
  /** Those of that agent, and those that are shared, in order of their names. */
  list(companyId: CompanyId, ownerId: AgentId): Promise<ShownView[]>;
  /** Null: the company has none, or it is another agent's and not shared. */
  find(companyId: CompanyId, ownerId: AgentId, id: ReportViewId): Promise<ShownView | null>;
  /** Replaces the one that still has `view.version - 1`. */
  update(view: ReportView): Promise<'updated' | 'not_updated'>;
  /** With its schedule, while it has that version. False: it has another, or is gone. */
  remove(companyId: CompanyId, id: ReportViewId, version: number): Promise<boolean>;
}

/** A run that a gateway sees to. Nobody else gets it until `leasedUntil`. */
export type LeasedRun = { view: ReportView; rhythm: ReportRhythm; nextAt: Date; leasedUntil: Date };

/** When reports are sent by themselves. */
export interface ReportScheduleStore {
  /**
   * Sets when the report of a view is sent, in place of what was set; of its last run it stays.
   * A change of the view: its version rises. False: it has another version than that, or is not shared.
   */
  set(
    view: Pick<ReportView, 'companyId' | 'id' | 'version'>,
    rhythm: ReportRhythm,
    nextAt: Date,
    now: Date,
  ): Promise<boolean>;
  /** False: there was none. */
  remove(companyId: CompanyId, viewId: ReportViewId): Promise<boolean>;
  /** Takes runs that are due, of any company, the longest overdue first; nobody else gets them until `until`. */
  lease(now: Date, until: Date, limit: number): Promise<LeasedRun[]>;
  /**
   * Ends a run: writes its webhook, what became of it, and when the next one is, all at once, and once for each run,
   * whoever does it. `changed`: it has ended, or was set anew.
   * @param event null: the company's webhook does not get it
   */
  fire(run: LeasedRun, nextAt: Date, now: Date, event: OutboxEvent | null): Promise<ReportOutcome | 'changed'>;
  /**
   * The same of one that is asked for by hand; the next run stays. Other than `sent`: nothing was written.
   * `changed`: there is no schedule by now.
   */
  fireByHand(
    companyId: CompanyId,
    viewId: ReportViewId,
    now: Date,
    event: OutboxEvent,
  ): Promise<'sent' | 'no_webhook' | 'changed'>;
  /** When a gateway has to look next, over all companies. */
  nextDue(): Promise<Date | null>;
}
