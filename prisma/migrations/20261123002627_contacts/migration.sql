-- AlterTable
ALTER TABLE "company" ADD COLUMN     "contact_scope" TEXT NOT NULL DEFAULT 'company';

-- CreateTable
CREATE TABLE "contact" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT,
    "organisation_id" UUID,
    "owner_id" UUID,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "tier" TEXT,
    "language" TEXT,
    "time_zone" TEXT,
    "notes" TEXT,
    "do_not_call" BOOLEAN NOT NULL DEFAULT false,
    "external_id" TEXT,
    "fields" JSONB NOT NULL DEFAULT '{}',
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "contact_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "contact_phone" (
    "company_id" UUID NOT NULL,
    "phone" TEXT NOT NULL,
    "contact_id" UUID NOT NULL,
    "label" TEXT,
    "is_primary" BOOLEAN NOT NULL DEFAULT false,
    "position" INTEGER NOT NULL,

    CONSTRAINT "contact_phone_pkey" PRIMARY KEY ("company_id","phone")
);

-- CreateTable
CREATE TABLE "contact_email" (
    "company_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "label" TEXT,
    "is_primary" BOOLEAN NOT NULL DEFAULT false,
    "position" INTEGER NOT NULL,

    CONSTRAINT "contact_email_pkey" PRIMARY KEY ("company_id","contact_id","email")
);

-- CreateTable
CREATE TABLE "contact_change" (
    "company_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "agent_id" UUID,
    "text" TEXT,
    "edits" JSONB,

    CONSTRAINT "contact_change_pkey" PRIMARY KEY ("company_id","contact_id","id")
);

-- CreateTable
CREATE TABLE "organisation" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "website" TEXT,
    "notes" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "organisation_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "contact_field" (
    "company_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "choices" JSONB,
    "position" INTEGER NOT NULL DEFAULT 0,
    "on_pop" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "contact_field_pkey" PRIMARY KEY ("company_id","key")
);

-- CreateIndex
CREATE INDEX "contact_company_id_owner_id_id_idx" ON "contact"("company_id", "owner_id", "id");

-- CreateIndex
CREATE INDEX "contact_company_id_organisation_id_id_idx" ON "contact"("company_id", "organisation_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "contact_company_id_external_id_key" ON "contact"("company_id", "external_id");

-- CreateIndex
CREATE INDEX "contact_phone_company_id_contact_id_position_idx" ON "contact_phone"("company_id", "contact_id", "position");

-- CreateIndex
CREATE INDEX "contact_email_company_id_email_idx" ON "contact_email"("company_id", "email");

-- AddForeignKey
ALTER TABLE "contact" ADD CONSTRAINT "contact_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact" ADD CONSTRAINT "contact_company_id_organisation_id_fkey" FOREIGN KEY ("company_id", "organisation_id") REFERENCES "organisation"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "contact" ADD CONSTRAINT "contact_company_id_owner_id_fkey" FOREIGN KEY ("company_id", "owner_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "contact_phone" ADD CONSTRAINT "contact_phone_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contact"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_email" ADD CONSTRAINT "contact_email_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contact"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_change" ADD CONSTRAINT "contact_change_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contact"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organisation" ADD CONSTRAINT "organisation_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_field" ADD CONSTRAINT "contact_field_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;
