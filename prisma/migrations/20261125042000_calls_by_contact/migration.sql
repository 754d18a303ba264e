CREATE INDEX CONCURRENTLY "call_contact_idx" ON "call"("company_id", "contact_id", "id") WHERE "contact_id" IS NOT NULL;
