import { z } from 'zod';
import { type CallReport, reportGroups } from '../../contract/reports.ts';
import { type CompanyId, type TeamId, toId } from '../../domain/ids.ts';
import { type Outcome, refuse } from '../../domain/outcome.ts';
import type { Services } from '../services.ts';
import { allOf, reportCalls, type ReportNeeds } from './callReport.ts';

/** As long as a webhook is tried, with all that its times may vary by. Milliseconds. */
export const linkMs = 4 * 24 * 3_600_000;

/** Sealed with its purpose: it opens as nothing else that the gateway seals. */
const purpose = 'report link';
/** Which report it is, in full: the link is all that is kept of it. */
const content = z.object({
  company: z.string(),
  since: z.string(),
  until: z.string(),
  time_zone: z.string(),
  group_by: z.enum(reportGroups),
  team: z.string().nullable(),
  expires: z.number(),
});

/** The path at which anybody who has it reads this report, until then. */
export function linkOf(
  { cipher }: Pick<Services, 'cipher'>,
  companyId: CompanyId,
  { group_by, since, time_zone, until }: Pick<CallReport, 'group_by' | 'since' | 'time_zone' | 'until'>,
  team: string | null,
  expires: Date,
): string {
  const sealed: z.infer<typeof content> = {
    company: companyId,
    since,
    until,
    time_zone,
    group_by,
    team,
    expires: expires.getTime(),
  };
  return `/api/reports/files/${cipher.encrypt(JSON.stringify(sealed), purpose)}`;
}

/** The report of a link, counted anew: it has what was corrected since. Refuses `invalid_token`. */
export async function readLinkedReport(
  services: ReportNeeds & Pick<Services, 'cipher'>,
  token: string,
): Promise<Outcome<CallReport>> {
  const opened = open(services.cipher, token);
  if (opened === null) return refuse('invalid_token', 'That is no link of this service.');
  if (opened.expires <= services.clock.now())
    return refuse('invalid_token', 'The link has expired. Send the report anew.');
  const { company, group_by, since, team, time_zone, until } = opened;
  return reportCalls(services, allOf(toId<CompanyId>(company)), {
    since,
    until,
    time_zone,
    group_by,
    team_id: team === null ? undefined : toId<TeamId>(team),
  });
}

/** Null: it was sealed elsewhere, for something else, or was edited. */
function open(cipher: Services['cipher'], token: string): z.infer<typeof content> | null {
  try {
    return content.parse(JSON.parse(cipher.decrypt(token, purpose)));
  } catch {
    return null;
  }
}
