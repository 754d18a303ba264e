import type { CompanyView } from '../../contract/companies.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome } from '../../domain/outcome.ts';
import type { Services } from '../services.ts';
import { companyView } from '../views/companyView.ts';

/** Every company, for the platform's operator. */
export async function listCompanies({ companies }: Pick<Services, 'companies'>): Promise<CompanyView[]> {
  return (await companies.list()).map(companyView);
}

/** The caller's company. */
export async function readCompany(
  { companies }: Pick<Services, 'companies'>,
  companyId: CompanyId,
): Promise<Outcome<CompanyView>> {
  const company = await companies.find(companyId);
  return company === null ? refuse('not_found', 'The company is gone.') : ok(companyView(company));
}
