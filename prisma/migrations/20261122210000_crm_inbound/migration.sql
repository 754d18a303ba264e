-- CreateTable
CREATE TABLE "crm_inbound" (
    "company_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "secret_encrypted" TEXT,
    "signing_secret_encrypted" TEXT,
    "issued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_received_at" TIMESTAMPTZ(3),

    CONSTRAINT "crm_inbound_pkey" PRIMARY KEY ("company_id","provider")
);

-- CreateTable
CREATE TABLE "crm_login" (
    "company_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "credentials_encrypted" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "crm_login_pkey" PRIMARY KEY ("company_id")
);

-- CreateIndex
CREATE INDEX "crm_inbound_token_hash_idx" ON "crm_inbound"("token_hash");

-- AddForeignKey
ALTER TABLE "crm_inbound" ADD CONSTRAINT "crm_inbound_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "crm_login" ADD CONSTRAINT "crm_login_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;
