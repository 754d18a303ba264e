-- What an admin looks for in the log, and what a recovery reads.
CREATE INDEX "crm_delivery_dead_idx" ON "crm_delivery"("company_id", "id") WHERE "state" = 'dead';
