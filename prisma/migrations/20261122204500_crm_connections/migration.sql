-- AlterTable
ALTER TABLE "screen_pop_entry" ADD COLUMN     "candidates" JSONB,
ADD COLUMN     "expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "external_object" TEXT,
ADD COLUMN     "record_url" TEXT;

-- CreateTable
CREATE TABLE "crm_connection" (
    "company_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "credentials_encrypted" TEXT NOT NULL,
    "options" JSONB NOT NULL,
    "facts" JSONB NOT NULL,
    "account" TEXT NOT NULL,
    "attention" TEXT,
    "keep_seconds" INTEGER NOT NULL,
    "token_encrypted" TEXT,
    "token_expires_at" TIMESTAMPTZ(3),
    "token_version" INTEGER NOT NULL DEFAULT 0,
    "token_lease_id" UUID,
    "token_lease_until" TIMESTAMPTZ(3),
    "connected_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "crm_connection_pkey" PRIMARY KEY ("company_id")
);

-- AddForeignKey
ALTER TABLE "crm_connection" ADD CONSTRAINT "crm_connection_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What was looked up is deleted by its time; what was pushed has none.
CREATE INDEX "screen_pop_entry_expires_idx" ON "screen_pop_entry"("expires_at") WHERE "expires_at" IS NOT NULL;
