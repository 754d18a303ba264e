CREATE INDEX CONCURRENTLY "call_popped_contact_idx" ON "call"("company_id", (("screen_pop" ->> 'contact_id'))) WHERE "screen_pop" ->> 'contact_id' IS NOT NULL;
