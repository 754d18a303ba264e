CREATE UNIQUE INDEX CONCURRENTLY "call_active_by_source_key" ON "call"("company_id", "agent_id", (coalesce("source", '')), (coalesce("platform_call_id", ''))) WHERE "state" <> 'ended';
