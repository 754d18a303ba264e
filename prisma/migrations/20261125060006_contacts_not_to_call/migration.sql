CREATE INDEX CONCURRENTLY "contact_do_not_call_idx" ON "contact"("company_id", "id") WHERE "do_not_call";
