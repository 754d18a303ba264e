-- By hand. Lasts with the number of attempts, and keeps nobody from writing: it locks rows that nobody changes.
UPDATE "webhook_attempt" SET "company_id" = "webhook_delivery"."company_id"
FROM "webhook_delivery"
WHERE "webhook_delivery"."id" = "webhook_attempt"."delivery_id" AND "webhook_attempt"."company_id" IS NULL;

ALTER TABLE "webhook_attempt" VALIDATE CONSTRAINT "webhook_attempt_company_id_named";
