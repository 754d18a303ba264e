-- What is kept of a record is forgotten when the CRM tells that it was deleted.
CREATE INDEX CONCURRENTLY "screen_pop_entry_company_id_external_id_idx" ON "screen_pop_entry"("company_id", "external_id");
