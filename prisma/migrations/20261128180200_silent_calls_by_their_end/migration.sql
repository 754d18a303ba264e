CREATE INDEX CONCURRENTLY "call_platform_quiet_idx" ON "call"("platform_at") WHERE "ended_at" IS NULL AND "source" IS NOT NULL;
