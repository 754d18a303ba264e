CREATE UNIQUE INDEX CONCURRENTLY "agent_state_change_company_id_key" ON "agent_state_change"("company_id", "agent_id", "at", "version");
