CREATE UNIQUE INDEX CONCURRENTLY "call_company_id_id_key" ON "call"("company_id", "id");
