-- AlterTable
ALTER TABLE "contact_change" ADD COLUMN IF NOT EXISTS "record_id" UUID;

-- CreateTable
CREATE TABLE "import" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "agent_id" UUID NOT NULL,
    "delimiter" TEXT NOT NULL,
    "encoding" TEXT NOT NULL,
    "has_header" BOOLEAN NOT NULL,
    "first_row" JSONB NOT NULL,
    "mapping" JSONB NOT NULL,
    "default_country" TEXT,
    "row_count" INTEGER NOT NULL DEFAULT 0,
    "position" INTEGER NOT NULL DEFAULT 0,
    "pass" INTEGER NOT NULL DEFAULT 0,
    "counts" JSONB NOT NULL DEFAULT '{}',
    "version" INTEGER NOT NULL DEFAULT 1,
    "claim_id" UUID,
    "due_at" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "import_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "import_row" (
    "company_id" UUID NOT NULL,
    "import_id" UUID NOT NULL,
    "row" INTEGER NOT NULL,
    "cells" JSONB NOT NULL,
    "outcome" TEXT,
    "reason" JSONB,
    "contact_id" UUID,
    "before" JSONB,
    "contact_version" INTEGER,

    CONSTRAINT "import_row_pkey" PRIMARY KEY ("company_id","import_id","row")
);

-- CreateTable
CREATE TABLE "import_key" (
    "company_id" UUID NOT NULL,
    "import_id" UUID NOT NULL,
    "pass" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "row" INTEGER NOT NULL,
    "external_id" TEXT,

    CONSTRAINT "import_key_pkey" PRIMARY KEY ("company_id","import_id","pass","key")
);

-- CreateIndex
CREATE INDEX "import_updated_at_idx" ON "import"("updated_at");

-- CreateIndex
CREATE INDEX "import_row_company_id_import_id_outcome_row_idx" ON "import_row"("company_id", "import_id", "outcome", "row");

-- CreateIndex
CREATE INDEX "import_row_company_id_contact_id_idx" ON "import_row"("company_id", "contact_id");

-- AddForeignKey
ALTER TABLE "import" ADD CONSTRAINT "import_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_row" ADD CONSTRAINT "import_row_company_id_import_id_fkey" FOREIGN KEY ("company_id", "import_id") REFERENCES "import"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_key" ADD CONSTRAINT "import_key_company_id_import_id_fkey" FOREIGN KEY ("company_id", "import_id") REFERENCES "import"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What a gateway may take; over all companies.
CREATE INDEX "import_due_idx" ON "import"("due_at") WHERE "due_at" IS NOT NULL;
