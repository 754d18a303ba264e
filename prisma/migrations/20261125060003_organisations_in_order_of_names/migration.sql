CREATE INDEX CONCURRENTLY "organisation_name_idx" ON "organisation"("company_id", (left(crm_fold("name"), 64)) COLLATE "C", "id");
