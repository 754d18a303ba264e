-- In the order of their values, those without one behind all others.
CREATE INDEX CONCURRENTLY "deal_value_idx" ON "deal"("company_id", (coalesce("value", 'Infinity')), "id");
