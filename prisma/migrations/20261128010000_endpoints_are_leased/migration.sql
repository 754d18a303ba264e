-- Gateways lease endpoints, not deliveries: nothing of a delivery is written before it was sent. What was in flight waits again.
ALTER TABLE "webhook_endpoint" ADD COLUMN "holder" UUID, ADD COLUMN "held_until" TIMESTAMPTZ(3);
ALTER TABLE "webhook_endpoint" RENAME COLUMN "last_claimed_at" TO "served_at";
ALTER TABLE "crm_connection" ADD COLUMN "holder" UUID, ADD COLUMN "held_until" TIMESTAMPTZ(3);
ALTER TABLE "crm_connection" RENAME COLUMN "last_claimed_at" TO "served_at";

UPDATE "webhook_delivery" SET "state" = 'pending' WHERE "state" = 'in_flight';
UPDATE "crm_delivery" SET "state" = 'pending' WHERE "state" = 'in_flight';

DROP INDEX "webhook_delivery_due_idx";
DROP INDEX "crm_delivery_due_idx";
ALTER TABLE "webhook_delivery" DROP COLUMN "claim_id";
ALTER TABLE "crm_delivery" DROP COLUMN "claim_id";
CREATE INDEX "webhook_delivery_due_idx" ON "webhook_delivery"("company_id", "due_at", "id") WHERE "state" = 'pending';
CREATE INDEX "crm_delivery_due_idx" ON "crm_delivery"("company_id", "due_at", "id") WHERE "state" = 'pending';

-- Was for gateways of before, which wrote attempts without their company.
DROP TRIGGER "webhook_attempt_company" ON "webhook_attempt";
DROP FUNCTION "name_company_of_attempt"();
DROP INDEX "webhook_attempt_delivery_id_number_idx";
