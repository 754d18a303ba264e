-- CreateTable
CREATE TABLE "erased_number" (
    "company_id" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "erased_number_pkey" PRIMARY KEY ("company_id","hash")
);

-- CreateTable
CREATE TABLE "audit_entry" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "contact_id" UUID NOT NULL,
    "other_id" UUID,
    "by_id" UUID,
    "counts" JSONB,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("company_id","id")
);

-- AddForeignKey
ALTER TABLE "erased_number" ADD CONSTRAINT "erased_number_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "audit_entry" ADD CONSTRAINT "audit_entry_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;
