CREATE INDEX CONCURRENTLY "call_transferred_to_idx" ON "call"("company_id", "transferred_to") WHERE "transferred_to" IS NOT NULL;
