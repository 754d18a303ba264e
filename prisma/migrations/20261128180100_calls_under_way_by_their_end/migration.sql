-- The state changes several times in a call, its end once: what changes no index is written in place (HOT).
CREATE UNIQUE INDEX CONCURRENTLY "call_under_way_key" ON "call"("company_id", "agent_id", (coalesce("source", '')), (coalesce("platform_call_id", '')), "platform_round") WHERE "ended_at" IS NULL;
