import type { CompanyView, UpdateCompanyRequest } from '../../contract/companies.ts';
import { standardReasons, systemReasons } from '../../contract/vocabulary.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome } from '../../domain/outcome.ts';
import type { CompanyChange } from '../../ports/companies.ts';
import type { Services } from '../services.ts';
import { companyView } from '../views/companyView.ts';

/**
 * Changes the company's name, wrap-up time, dispositions and own Not Ready reasons; a list replaces the former. What
 * softphones show of it is told to them.
 */
export async function updateCompany(
  { companies, forget, softphones }: Pick<Services, 'companies' | 'forget' | 'softphones'>,
  companyId: CompanyId,
  body: UpdateCompanyRequest,
): Promise<Outcome<CompanyView>> {
  const reserved: readonly string[] = [...standardReasons, ...systemReasons];
  const clash = body.not_ready_reasons?.findIndex((reason) => reserved.includes(reason.code)) ?? -1;
  if (clash >= 0) {
    return refuse('invalid_request', 'A Not Ready reason has a code that every company has.', {
      errors: [{ path: `not_ready_reasons.${String(clash)}.code`, message: 'is reserved' }],
    });
  }
  const change: CompanyChange = {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.wrap_up_seconds === undefined ? {} : { wrapUpSeconds: body.wrap_up_seconds }),
    ...(body.wrap_up_max_seconds === undefined ? {} : { wrapUpMaxSeconds: body.wrap_up_max_seconds }),
    ...(body.dispositions === undefined ? {} : { dispositions: body.dispositions }),
    ...(body.not_ready_reasons === undefined ? {} : { notReadyReasons: body.not_ready_reasons }),
  };
  const company = await companies.update(companyId, change);
  forget(companyId);
  if (company === null) return refuse('not_found', 'The company is gone.');
  const { name: _, ...shown } = change;
  if (Object.keys(shown).length > 0) softphones.settingsChanged(companyId);
  return ok(companyView(company));
}
