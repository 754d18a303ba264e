-- Such a record may be among several to choose from. There are never many of those: they are kept for minutes.
CREATE INDEX CONCURRENTLY "screen_pop_entry_undecided_idx" ON "screen_pop_entry"("company_id") WHERE "candidates" IS NOT NULL;
