-- An agent may be on two calls of one name, e.g. one that is told of under the name of the call that it asks about.
CREATE UNIQUE INDEX CONCURRENTLY "call_active_by_round_key" ON "call"("company_id", "agent_id", (coalesce("source", '')), (coalesce("platform_call_id", '')), "platform_round") WHERE "state" <> 'ended';
