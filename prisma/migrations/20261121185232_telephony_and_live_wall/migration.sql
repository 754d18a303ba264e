-- AlterTable
ALTER TABLE "agent" ADD COLUMN     "sip_secret_encrypted" TEXT,
ADD COLUMN     "sip_user" TEXT;

-- CreateTable
CREATE TABLE "telephony" (
    "company_id" UUID NOT NULL,
    "mode" TEXT NOT NULL DEFAULT 'none',
    "sip_wss_url" TEXT,
    "sip_domain" TEXT,
    "ice_servers_encrypted" TEXT,
    "no_answer_seconds" INTEGER,
    "desk_phone_scheme" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "telephony_pkey" PRIMARY KEY ("company_id")
);

-- CreateTable
CREATE TABLE "click_tally" (
    "company_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "dialed" INTEGER NOT NULL DEFAULT 0,
    "no_ready_agent" INTEGER NOT NULL DEFAULT 0,
    "agent_not_ready" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "click_tally_pkey" PRIMARY KEY ("company_id","at")
);

-- CreateTable
CREATE TABLE "agent_state_change" (
    "company_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "reason" TEXT,
    "call_id" UUID,

    CONSTRAINT "agent_state_change_pkey" PRIMARY KEY ("agent_id","at","version")
);

-- CreateIndex
CREATE INDEX "agent_state_change_at_idx" ON "agent_state_change"("at");

-- AddForeignKey
ALTER TABLE "telephony" ADD CONSTRAINT "telephony_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "click_tally" ADD CONSTRAINT "click_tally_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_state_change" ADD CONSTRAINT "agent_state_change_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE;
