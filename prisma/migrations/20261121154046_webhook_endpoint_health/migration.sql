-- AlterTable
ALTER TABLE "webhook_endpoint" ADD COLUMN     "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "disabled_at" TIMESTAMPTZ(3),
ADD COLUMN     "disabled_reason" TEXT,
ADD COLUMN     "failing_since" TIMESTAMPTZ(3),
ADD COLUMN     "paused_until" TIMESTAMPTZ(3),
ADD COLUMN     "secret_previous_encrypted" TEXT,
ADD COLUMN     "secret_previous_until" TIMESTAMPTZ(3);

-- By hand, since schema.prisma cannot describe partial indexes: what was given up, for the log and for recovering it
CREATE INDEX "webhook_delivery_dead_idx" ON "webhook_delivery"("company_id", "id") WHERE "state" = 'dead';
