CREATE INDEX CONCURRENTLY "contact_language_idx" ON "contact"("company_id", (lower(split_part("language", '-', 1))), "id") WHERE "language" IS NOT NULL;
