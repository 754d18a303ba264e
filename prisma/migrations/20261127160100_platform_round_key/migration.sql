-- An agent has a call of a platform once in each round of its id.
CREATE UNIQUE INDEX CONCURRENTLY "call_platform_round_key" ON "call"("company_id", "source", "platform_call_id", "agent_id", "platform_round") WHERE "source" IS NOT NULL;
