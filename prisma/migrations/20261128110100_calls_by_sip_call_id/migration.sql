-- A PBX asks by it for the call that it has recorded.
CREATE INDEX CONCURRENTLY "call_sip_call_id_idx" ON "call"("company_id", "sip_call_id") WHERE "sip_call_id" IS NOT NULL;
