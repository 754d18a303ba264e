-- A call's deliveries are looked for by the company and the call. By the call alone PostgreSQL, as long as it knows little of the table, reads
-- all deliveries of the company beside it.
CREATE INDEX "webhook_delivery_company_id_call_id_sequence_idx" ON "webhook_delivery"("company_id", "call_id", "sequence");

DROP INDEX "webhook_delivery_call_id_sequence_idx";
