-- AlterTable
ALTER TABLE "call" ADD COLUMN     "platform_at" TIMESTAMPTZ(3),
ADD COLUMN     "platform_call_id" TEXT,
ADD COLUMN     "queue" TEXT,
ADD COLUMN     "source" TEXT;

-- CreateTable
CREATE TABLE "cti_connection" (
    "company_id" UUID NOT NULL,
    "connector" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "secret_encrypted" TEXT,
    "dial_via" TEXT NOT NULL DEFAULT 'nobody',
    "issued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_received_at" TIMESTAMPTZ(3),

    CONSTRAINT "cti_connection_pkey" PRIMARY KEY ("company_id","connector")
);

-- CreateTable
CREATE TABLE "platform_agent" (
    "company_id" UUID NOT NULL,
    "connector" TEXT NOT NULL,
    "platform_id" TEXT NOT NULL,
    "email" TEXT,
    "name" TEXT,
    "agent_id" UUID,
    "matched_by" TEXT,
    "state" TEXT,
    "reason" TEXT,
    "state_at" TIMESTAMPTZ(3),
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "platform_agent_pkey" PRIMARY KEY ("company_id","connector","platform_id")
);

-- CreateIndex
CREATE INDEX "cti_connection_token_hash_idx" ON "cti_connection"("token_hash");

-- CreateIndex
CREATE INDEX "platform_agent_company_id_agent_id_idx" ON "platform_agent"("company_id", "agent_id");

-- AddForeignKey
ALTER TABLE "cti_connection" ADD CONSTRAINT "cti_connection_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "platform_agent" ADD CONSTRAINT "platform_agent_company_id_connector_fkey" FOREIGN KEY ("company_id", "connector") REFERENCES "cti_connection"("company_id", "connector") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "platform_agent" ADD CONSTRAINT "platform_agent_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
