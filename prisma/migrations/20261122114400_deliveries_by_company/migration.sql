CREATE UNIQUE INDEX CONCURRENTLY "webhook_delivery_company_id_id_key" ON "webhook_delivery"("company_id", "id");
