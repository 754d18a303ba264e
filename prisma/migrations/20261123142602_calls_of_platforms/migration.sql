CREATE UNIQUE INDEX CONCURRENTLY "call_platform_key" ON "call"("company_id", "source", "platform_call_id", "agent_id") WHERE "source" IS NOT NULL;
