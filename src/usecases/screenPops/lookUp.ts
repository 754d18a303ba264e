import type { ExactScreenPop, FlatScreenPop } from '../../contract/screenPops.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome, type Refused } from '../../domain/outcome.ts';
import type { LookedUp } from '../../ports/crm.ts';
import { parsePhone, type PhoneNumber } from '../../domain/phoneNumbers.ts';
import { layOver, screenPopOf } from '../../domain/screenPop.ts';
import { withDeadline } from '../concurrency/withDeadline.ts';
import type { Services } from '../services.ts';

/** How long whoever looks a number up waits for the company's CRM. Milliseconds. */
const crmAnswerWithinMs = 1_500;

/** A phone number as the company writes it. Refuses what is none. */
export async function readPhone(
  { settings }: Pick<Services, 'settings'>,
  companyId: CompanyId,
  input: string,
): Promise<Outcome<PhoneNumber>> {
  const international = parsePhone(input);
  if (international.kind === 'phone') return ok(international.phone);
  const parsed = parsePhone(input, (await settings(companyId)).defaultCountry);
  return parsed.kind === 'phone' ? ok(parsed.phone) : refuse('invalid_phone', parsed.detail, { cause: parsed.cause });
}

/** The same refusal, naming the field `phone_number` of a body. */
export function atPhoneNumber(refused: Refused): Refused {
  const { cause, detail } = refused;
  return cause === undefined ? refused : { ...refused, errors: [{ path: 'phone_number', message: detail, ...cause }] };
}

/**
 * What the company's CRM pushed for a phone number, or in mode `pull` tells of it within 1.5 s. Refuses with `invalid_phone` or
 * `unknown_phone`.
 */
export async function lookUp(
  services: Pick<Services, 'clock' | 'crmLookup' | 'screenPops' | 'settings'>,
  companyId: CompanyId,
  phoneInput: string,
): Promise<Outcome<ExactScreenPop>> {
  const phone = await readPhone(services, companyId, phoneInput);
  if (phone.kind === 'refused') return phone;
  const known = await services.screenPops.find(companyId, phone.value);
  if (known !== null) return ok(screenPopOf(known));
  const { clock, crmLookup } = services;
  const looked = await withDeadline(clock, clock.now() + crmAnswerWithinMs, crmLookup.find(companyId, phone.value));
  if (looked?.kind === 'found') return ok(screenPopOf(looked.entry));
  return refuse('unknown_phone', unknownBecause(looked));
}

/** @param looked null: the CRM has not answered in time */
function unknownBecause(looked: LookedUp | null): string {
  switch (looked?.kind) {
    case 'nobody':
      return 'Nothing has been pushed for this phone number, and the CRM knows nobody who has it.';
    case 'failed':
      return 'Nothing has been pushed for this phone number, and the CRM could not be asked.';
    case undefined:
      return 'Nothing has been pushed for this phone number, and the CRM has not answered in time.';
    default:
      return 'Nothing has been pushed for this phone number.';
  }
}

/** `?format=flat`: every field a string, in a fixed order, for platforms whose flows break on 404 and null. */
export function flatScreenPop(found: ExactScreenPop | null, phone: string): FlatScreenPop {
  return {
    found: found === null ? 'false' : 'true',
    name: found?.name ?? '',
    email: found?.email ?? '',
    vip_tier: found?.vip_tier ?? '',
    external_system: found?.external_system ?? '',
    external_id: found?.external_id ?? '',
    phone: found?.phone ?? phone,
  };
}

export type ComposedPop = {
  found: boolean;
  screenPop: ExactScreenPop;
  /** What the company's CRM will tell, where it is being asked. */
  asked?: Promise<LookedUp>;
  /** Whether the agent may be told to wait for it. */
  isLookingUp?: boolean;
};

/**
 * What an agent sees for a phone number: what the request brought, laid over what the CRM pushed, field by field.
 * `found` tells whether the CRM had pushed anything. Waits for no CRM: in mode `pull` it is asked, and `completeScreenPop`
 * shows what it tells.
 */
export async function composeScreenPop(
  { crmLookup, screenPops, settings }: Pick<Services, 'crmLookup' | 'screenPops' | 'settings'>,
  companyId: CompanyId,
  phone: PhoneNumber,
  requested: ExactScreenPop = {},
): Promise<ComposedPop> {
  const entry = await screenPops.find(companyId, phone);
  if (entry !== null) return { found: true, screenPop: layOver(requested, screenPopOf(entry)) };
  const asked = crmLookup.find(companyId, phone);
  // Whoever uses the answer hears of a failure; nobody may, when the call is not made.
  asked.catch(() => undefined);
  const { crmProvider, mode } = await settings(companyId);
  return { found: false, screenPop: layOver(requested, { phone }), asked, isLookingUp: mode === 'pull' && crmProvider !== null && !crmLookup.isPaused(companyId) };
}
