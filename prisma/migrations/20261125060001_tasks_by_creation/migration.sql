CREATE INDEX CONCURRENTLY "task_company_id_state_created_at_id_idx" ON "task"("company_id", "state", "created_at", "id");
