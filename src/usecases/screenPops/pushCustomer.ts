import type { ReadPush } from '../../contract/screenPops.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome } from '../../domain/outcome.ts';
import type { PhoneNumber } from '../../domain/phones/phoneNumbers.ts';
import { otherSpelling } from '../../domain/phones/phoneSpellings.ts';
import { pushed, type ScreenPopEntry } from '../../domain/screenPop.ts';
import type { Services } from '../services.ts';
import { atPhoneNumber, readLine, readPhone } from './lookUp.ts';

/** Caches what a CRM pushed for one phone number, replacing what was there; durable when it resolves. */
export async function pushCustomer(
  services: Pick<Services, 'screenPops' | 'companyOf' | 'observer'>,
  companyId: CompanyId,
  push: ReadPush,
): Promise<Outcome<{ phone_number: string; read_otherwise?: string }>> {
  const read = await entryOf(services, companyId, push);
  if (read.kind === 'refused') return read;
  const { entry, otherwise } = read.value;
  await services.screenPops.upsert(companyId, entry);
  services.observer.push(1);
  return ok({ phone_number: entry.phone, ...(otherwise === null ? {} : { read_otherwise: otherwise }) });
}

/**
 * The cache entry of a push, and as which number its digits could be read as well. Refuses a phone number that is none.
 */
export async function entryOf(
  services: Pick<Services, 'companyOf'>,
  companyId: CompanyId,
  push: ReadPush,
): Promise<Outcome<{ entry: ScreenPopEntry; otherwise: PhoneNumber | null }>> {
  const read = await readLine(services, companyId, push.phone_number);
  if (read.kind === 'refused') return atPhoneNumber(read);
  const { phone, otherwise } = read.value;
  const { data, external_system: externalSystem = null, external_id: externalId = null, tier = null } = push;
  return ok({ entry: { phone, data, externalSystem, externalId, tier, ...pushed }, otherwise });
}

/** Forgets what was pushed for a phone number. Refuses with `unknown_phone` where nothing was. */
export async function forgetCustomer(
  services: Pick<Services, 'screenPops' | 'companyOf'>,
  companyId: CompanyId,
  phoneInput: string,
): Promise<Outcome<null>> {
  const phone = await readPhone(services, companyId, phoneInput);
  if (phone.kind === 'refused') return phone;
  const spellings = [phone.value, otherSpelling(phone.value)].filter((one) => one !== null);
  const forgotten = await Promise.all(spellings.map((one) => services.screenPops.forget(companyId, one)));
  return forgotten.includes(true)
    ? ok(null)
    : refuse('unknown_phone', 'Nothing has been pushed for this phone number.');
}
