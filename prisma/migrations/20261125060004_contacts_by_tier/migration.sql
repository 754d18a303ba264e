CREATE INDEX CONCURRENTLY "contact_tier_idx" ON "contact"("company_id", "tier", "id") WHERE "tier" IS NOT NULL;
