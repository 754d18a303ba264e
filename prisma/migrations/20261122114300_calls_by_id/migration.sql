-- Tells an id of another company from an unknown one. Gateways of the version before find calls by it.
CREATE INDEX CONCURRENTLY "call_id_idx" ON "call"("id");
