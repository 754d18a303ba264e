import type { CompanyView } from '../../contract/companies.ts';
import { shownDispositions, type Company } from '../../domain/company.ts';

/** A company as its admins and the platform see it. */
export function companyView(company: Company): CompanyView {
  return {
    id: company.id,
    slug: company.slug,
    name: company.name,
    wrap_up_seconds: company.wrapUpSeconds,
    wrap_up_max_seconds: company.wrapUpMaxSeconds,
    dispositions: shownDispositions(company.dispositions),
    not_ready_reasons: company.notReadyReasons,
    created_at: company.createdAt.toISOString(),
    updated_at: company.updatedAt.toISOString(),
  };
}
