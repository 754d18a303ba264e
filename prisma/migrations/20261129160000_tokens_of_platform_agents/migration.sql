ALTER TABLE "platform_agent" ADD COLUMN     "token_encrypted" TEXT,
ADD COLUMN     "token_expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "token_lease_id" UUID,
ADD COLUMN     "token_lease_until" TIMESTAMPTZ(3),
ADD COLUMN     "token_version" INTEGER NOT NULL DEFAULT 0;
