-- Similar names of one organisation, and names alone.
CREATE INDEX CONCURRENTLY "contact_name_sound_idx" ON "contact"("company_id", (crm_name_sound("name")) COLLATE "C", "organisation_id");
