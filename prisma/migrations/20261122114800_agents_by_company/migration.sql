-- By hand. Keeps changes of agents' accounts and of integrations waiting while it builds, and nothing else.
CREATE UNIQUE INDEX "agent_company_id_id_key" ON "agent"("company_id", "id");
CREATE INDEX "agent_id_idx" ON "agent"("id");
CREATE UNIQUE INDEX "agent_company_id_folded_code_key" ON "agent"("company_id", lower(btrim("agent_code")));
-- For log-ins without a company.
CREATE INDEX "agent_folded_code_idx" ON "agent"(lower(btrim("agent_code")), "company_id");
-- A key has 190 random bits: no index has to see to it that there are no two alike.
CREATE INDEX "integration_api_key_hash_idx" ON "integration"("api_key_hash");
