CREATE INDEX CONCURRENTLY "call_platform_silent_idx" ON "call"("platform_at") WHERE "state" <> 'ended' AND "source" IS NOT NULL;
