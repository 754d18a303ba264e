-- AlterTable
ALTER TABLE "webhook_delivery" ADD COLUMN     "last_error_cause" JSONB;

-- AlterTable
ALTER TABLE "webhook_attempt" ADD COLUMN     "error_cause" JSONB;
