import type { CompanyId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome } from '../../domain/outcome.ts';
import type { Services } from '../services.ts';
import { readPhone } from './lookUp.ts';

/** Forgets what was pushed for a phone number. Refuses with `unknown_phone` where nothing was. */
export async function forgetCustomer(
  services: Pick<Services, 'screenPops' | 'settings'>,
  companyId: CompanyId,
  phoneInput: string,
): Promise<Outcome<null>> {
  const phone = await readPhone(services, companyId, phoneInput);
  if (phone.kind === 'refused') return phone;
  const forgotten = await services.screenPops.forget(companyId, phone.value);
  return forgotten ? ok(null) : refuse('unknown_phone', 'Nothing has been pushed for this phone number.');
}
