-- CreateTable
CREATE TABLE "contact_redirect" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,

    CONSTRAINT "contact_redirect_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE INDEX "contact_redirect_company_id_contact_id_idx" ON "contact_redirect"("company_id", "contact_id");

-- AddForeignKey
ALTER TABLE "contact_redirect" ADD CONSTRAINT "contact_redirect_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contact"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
