import type { ReportView } from '../../domain/reportViews.ts';
import { ok, type Outcome } from '../../domain/outcome.ts';
import type { OutboxEvent } from '../../ports/outbox.ts';
import type { AgentId } from '../../domain/ids.ts';
import type { Services } from '../services.ts';
import { eventOnRequest } from '../webhooks/envelope.ts';
import { allOf, reportCalls, type ReportNeeds } from './callReport.ts';
import { reportAsCsv } from './reportCsv.ts';
import { linkMs, linkOf } from './reportLinks.ts';

/**
 * A larger file is fetched by a link: a webhook's body is kept with its delivery, and signed at each attempt. Bytes.
 */
const mostInlineBytes = 64 * 1024;

export type SendNeeds = ReportNeeds & Pick<Services, 'agentCard' | 'cipher' | 'newId' | 'companyOf'>;

type Sending = {
  timeZone: string;
  /** Which run it is; null: it is asked for by hand. Its range is told from there. */
  scheduledFor: Date | null;
  /** Who asks for it by hand. */
  by: AgentId | null;
  /** Where callers reach the service; null: only paths are known. */
  publicUrl: string | null;
};

/**
 * The webhook that brings the report of a view. Null: the company's webhook does not get it, and nothing was counted.
 */
export async function reportEvent(
  services: SendNeeds,
  { companyId, filter, id, name }: ReportView,
  { by, publicUrl, scheduledFor, timeZone }: Sending,
): Promise<Outcome<OutboxEvent | null>> {
  if (!(await services.companyOf(companyId)).webhookEvents.includes('report_ready')) return ok(null);
  const at = new Date(services.clock.now());
  const made = await reportCalls(services, allOf(companyId), { ...filter, time_zone: timeZone }, scheduledFor ?? at);
  if (made.kind === 'refused') return made;
  const report = made.value;
  const csv = reportAsCsv(report);
  const isInline = Buffer.byteLength(csv) <= mostInlineBytes;
  const expires = new Date(at.getTime() + linkMs);
  const [event = null] = await eventOnRequest(services, companyId, 'report_ready', { at, by }, (agent) => ({
    event: 'report_ready',
    data: {
      view: { id, name },
      scheduled_for: scheduledFor?.toISOString() ?? null,
      requested_by: agent,
      since: report.since,
      until: report.until,
      time_zone: timeZone,
      group_by: report.group_by,
      rows: report.rows.length,
      csv: isInline ? csv : null,
      download_url: isInline
        ? null
        : `${publicUrl ?? ''}${linkOf(services, companyId, report, filter.team_id ?? null, expires)}`,
      download_until: isInline ? null : expires.toISOString(),
    },
  }));
  return ok(event);
}
