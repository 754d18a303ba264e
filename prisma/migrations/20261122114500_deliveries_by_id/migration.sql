-- Finds the oldest of all companies, and tells an id of another company from an unknown one.
CREATE INDEX CONCURRENTLY "webhook_delivery_id_idx" ON "webhook_delivery"("id");
