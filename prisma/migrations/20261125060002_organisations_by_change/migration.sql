CREATE INDEX CONCURRENTLY "organisation_company_id_updated_at_id_idx" ON "organisation"("company_id", "updated_at", "id");
