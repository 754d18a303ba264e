-- The slot right behind the agent: a softphone's calls under way are read in this order.
CREATE UNIQUE INDEX CONCURRENTLY "call_under_way_key" ON "call"("company_id", "agent_id", "slot", (coalesce("source", '')), (coalesce("platform_call_id", '')), "platform_round") WHERE "ended_at" IS NULL;
