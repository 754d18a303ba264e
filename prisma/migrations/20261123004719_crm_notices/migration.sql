-- CreateTable
CREATE TABLE "crm_notice_queue" (
    "company_id" UUID NOT NULL,
    "claim_id" UUID,
    "leased_until" TIMESTAMPTZ(3),
    "rest_until" TIMESTAMPTZ(3),
    "served_at" TIMESTAMPTZ(6) NOT NULL DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone,

    CONSTRAINT "crm_notice_queue_pkey" PRIMARY KEY ("company_id")
);

-- CreateTable
CREATE TABLE "crm_notice" (
    "company_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "object" TEXT NOT NULL,
    "record_id" TEXT NOT NULL,
    "version" UUID NOT NULL,
    "told_at" TIMESTAMPTZ(3) NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "crm_notice_pkey" PRIMARY KEY ("company_id","provider","object","record_id")
);

-- CreateIndex
CREATE INDEX "crm_notice_company_id_told_at_idx" ON "crm_notice"("company_id", "told_at");

-- AddForeignKey
ALTER TABLE "crm_notice_queue" ADD CONSTRAINT "crm_notice_queue_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "crm_connection"("company_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "crm_notice" ADD CONSTRAINT "crm_notice_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "crm_notice_queue"("company_id") ON DELETE CASCADE ON UPDATE CASCADE;
