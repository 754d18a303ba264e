CREATE INDEX CONCURRENTLY "call_conversation_idx" ON "call"("company_id", "parent_call_id") WHERE "parent_call_id" IS NOT NULL;
