CREATE UNIQUE INDEX CONCURRENTLY "webhook_attempt_company_id_delivery_id_id_key" ON "webhook_attempt"("company_id", "delivery_id", "id");
