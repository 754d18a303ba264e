-- In the order of names, those without one behind all others.
CREATE INDEX CONCURRENTLY "contact_name_idx" ON "contact"("company_id", (coalesce(left(crm_fold("name"), 64), U&'\+10FFFF')) COLLATE "C", "id");
