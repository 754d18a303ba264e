-- In the order in which they are expected to close, those without a date behind all others.
CREATE INDEX CONCURRENTLY "deal_close_idx" ON "deal"("company_id", (coalesce("expected_close", 'infinity')), "id");
