-- Without the ids: PostgreSQL 18 would look for one through all of the times.
CREATE INDEX CONCURRENTLY "contact_company_id_updated_at_idx" ON "contact"("company_id", "updated_at");
