import type { ReplaceSpeedDialsRequest, SpeedDial, SpeedDials } from '../../contract/dialing.ts';
import type { FieldError } from '../../contract/fieldErrors.ts';
import type { Principal } from '../../domain/access.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import { parseWritten, type PhoneRules } from '../../domain/phones/phoneNumbers.ts';
import type { Services } from '../services.ts';

type Agent = Extract<Principal, { kind: 'agent' }>;
type Needs = Pick<Services, 'companies' | 'companyOf' | 'softphoneKeep'>;

/** Whom the agent dials by one press: the own list, and the company's. */
export async function readSpeedDials(
  { companies, softphoneKeep }: Needs,
  { companyId, agentId }: Agent,
): Promise<SpeedDials> {
  const [own, company] = await Promise.all([softphoneKeep.speedDials(companyId, agentId), companies.find(companyId)]);
  return { own: own.entries, shared: company?.settings.speed_dials ?? [], version: own.version };
}

/**
 * Replaces the agent's own list. Refuses what is no phone number, and a list that another device has changed meanwhile.
 * @param expected the version that the caller has read; null: whatever it is
 */
export async function replaceSpeedDials(
  services: Needs,
  agent: Agent,
  { entries }: ReplaceSpeedDialsRequest,
  expected: number | null,
): Promise<Outcome<SpeedDials>> {
  const { companyId, agentId } = agent;
  const read = readEntries(entries, 'entries', await services.companyOf(companyId));
  if (read.kind === 'refused') return read;
  const before = await readSpeedDials(services, agent);
  const isCurrent = expected === null || expected === before.version;
  const version = before.version + 1;
  if (!isCurrent || !(await services.softphoneKeep.replaceSpeedDials(companyId, agentId, read.value, version))) {
    const now = isCurrent ? version : before.version;
    return refuse('conflict', 'The list was changed meanwhile.', {
      cause: { code: 'changed_meanwhile', params: { version: now } },
    });
  }
  return ok({ ...before, own: read.value, version });
}

/**
 * A list as it is kept: its numbers in E.164. Refuses what is no phone number, by its place.
 * @param path the list's field in the request
 */
export function readEntries(
  entries: readonly { name: string; phone_number: string }[],
  path: string,
  rules: PhoneRules,
): Outcome<SpeedDial[]> {
  const errors: FieldError[] = [];
  const read = entries.flatMap(({ name, phone_number }, at) => {
    const parsed = parseWritten(phone_number, rules);
    if (parsed.kind === 'phone') return [{ name: name.trim(), phone_number: parsed.phone as string }];
    errors.push({ path: `${path}[${String(at)}].phone_number`, message: parsed.detail, ...parsed.cause });
    return [];
  });
  return errors.length === 0 ? ok(read) : refuse('invalid_phone', errors[0]?.message ?? '', { errors });
}
