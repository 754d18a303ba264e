-- AlterTable
ALTER TABLE "integration" ADD COLUMN     "webhook_events" JSONB;
