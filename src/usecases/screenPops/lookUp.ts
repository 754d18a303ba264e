import type { ExactScreenPop, FlatScreenPop } from '../../contract/screenPops.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome, type Refused } from '../../domain/outcome.ts';
import { parsePhone, type PhoneNumber } from '../../domain/phoneNumbers.ts';
import { layOver, screenPopOf } from '../../domain/screenPop.ts';
import type { Services } from '../services.ts';

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

/** What the company's CRM pushed for a phone number. Refuses with `invalid_phone` or `unknown_phone`. */
export async function lookUp(
  services: Pick<Services, 'screenPops' | 'settings'>,
  companyId: CompanyId,
  phoneInput: string,
): Promise<Outcome<ExactScreenPop>> {
  const phone = await readPhone(services, companyId, phoneInput);
  if (phone.kind === 'refused') return phone;
  const entry = await services.screenPops.find(companyId, phone.value);
  if (entry === null) return refuse('unknown_phone', 'Nothing has been pushed for this phone number.');
  return ok(screenPopOf(entry));
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

export type ComposedPop = { found: boolean; screenPop: ExactScreenPop };

/**
 * What an agent sees for a phone number: what the request brought, laid over what the CRM pushed, field by field.
 * `found` tells whether the CRM had pushed anything.
 */
export async function composeScreenPop(
  { screenPops }: Pick<Services, 'screenPops'>,
  companyId: CompanyId,
  phone: PhoneNumber,
  requested: ExactScreenPop = {},
): Promise<ComposedPop> {
  const entry = await screenPops.find(companyId, phone);
  const cached = entry === null ? { phone } : screenPopOf(entry);
  return { found: entry !== null, screenPop: layOver(requested, cached) };
}
