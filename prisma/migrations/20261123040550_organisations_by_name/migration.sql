-- Imports name organisations.
CREATE INDEX CONCURRENTLY "organisation_by_name_idx" ON "organisation"("company_id", lower("name"));
