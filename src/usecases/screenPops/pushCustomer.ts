import type { ReadPush } from '../../contract/screenPops.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome } from '../../domain/outcome.ts';
import { otherSpelling } from '../../domain/phones/phoneSpellings.ts';
import { pushed, type ScreenPopEntry } from '../../domain/screenPop.ts';
import type { Services } from '../services.ts';
import { atPhoneNumber, readPhone } from './lookUp.ts';

/** Caches what a CRM pushed for one phone number, replacing what was there; durable when it resolves. */
export async function pushCustomer(
  services: Pick<Services, 'screenPops' | 'settings' | 'observer'>,
  companyId: CompanyId,
  push: ReadPush,
): Promise<Outcome<{ phone_number: string }>> {
  const entry = await entryOf(services, companyId, push);
  if (entry.kind === 'refused') return entry;
  await services.screenPops.upsert(companyId, entry.value);
  services.observer.push(1);
  return ok({ phone_number: entry.value.phone });
}

/** The cache entry of a push. Refuses a phone number that is none. */
export async function entryOf(
  services: Pick<Services, 'settings'>,
  companyId: CompanyId,
  push: ReadPush,
): Promise<Outcome<ScreenPopEntry>> {
  const phone = await readPhone(services, companyId, push.phone_number);
  if (phone.kind === 'refused') return atPhoneNumber(phone);
  return ok({
    phone: phone.value,
    data: push.data,
    externalSystem: push.external_system ?? null,
    externalId: push.external_id ?? null,
    tier: push.tier ?? null,
    ...pushed,
  });
}

/** Forgets what was pushed for a phone number. Refuses with `unknown_phone` where nothing was. */
export async function forgetCustomer(
  services: Pick<Services, 'screenPops' | 'settings'>,
  companyId: CompanyId,
  phoneInput: string,
): Promise<Outcome<null>> {
  const phone = await readPhone(services, companyId, phoneInput);
  if (phone.kind === 'refused') return phone;
  const spellings = [phone.value, otherSpelling(phone.value)].filter((one) => one !== null);
  const forgotten = await Promise.all(spellings.map((one) => services.screenPops.forget(companyId, one)));
  return forgotten.includes(true) ? ok(null) : refuse('unknown_phone', 'Nothing has been pushed for this phone number.');
}
