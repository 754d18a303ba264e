-- AlterTable
ALTER TABLE "crm_connection" ADD COLUMN     "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "dispositions" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "failing_since" TIMESTAMPTZ(3),
ADD COLUMN     "last_claimed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone,
ADD COLUMN     "log_calls" TEXT NOT NULL DEFAULT 'all',
ADD COLUMN     "paused_until" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "crm_delivery" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "call_id" UUID NOT NULL,
    "sequence" INTEGER NOT NULL,
    "prepared" TEXT,
    "sent_at" TIMESTAMPTZ(3),
    "not_found_at" TIMESTAMPTZ(3),
    "entry_id" TEXT,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "claim_id" UUID,
    "last_status_code" INTEGER,
    "last_error" TEXT,
    "last_error_cause" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "crm_delivery_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "crm_attempt" (
    "company_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "latency_ms" INTEGER NOT NULL,
    "method" TEXT,
    "url" TEXT,
    "request_headers" JSONB NOT NULL,
    "request_body" TEXT,
    "status_code" INTEGER,
    "response_headers" JSONB,
    "response_body" TEXT,
    "error" TEXT,
    "error_cause" JSONB,

    CONSTRAINT "crm_attempt_pkey" PRIMARY KEY ("company_id","delivery_id","id")
);

-- CreateIndex
CREATE INDEX "crm_delivery_id_idx" ON "crm_delivery"("id");

-- CreateIndex
CREATE INDEX "crm_delivery_company_id_call_id_sequence_idx" ON "crm_delivery"("company_id", "call_id", "sequence");

-- AddForeignKey
ALTER TABLE "crm_delivery" ADD CONSTRAINT "crm_delivery_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "crm_attempt" ADD CONSTRAINT "crm_attempt_company_id_delivery_id_fkey" FOREIGN KEY ("company_id", "delivery_id") REFERENCES "crm_delivery"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What a look into the outbox reads: the companies that have anything waiting, each by when it falls due.
CREATE INDEX "crm_delivery_due_idx" ON "crm_delivery"("company_id", "due_at", "id") WHERE "state" IN ('pending', 'in_flight');
