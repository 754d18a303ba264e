-- CreateTable
CREATE TABLE "company" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "default_country" CHAR(2),
    "wrap_up_seconds" INTEGER NOT NULL DEFAULT 30,
    "dispositions" JSONB NOT NULL,
    "not_ready_reasons" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "company_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "agent_code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT,
    "role" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "token_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "integration" (
    "company_id" UUID NOT NULL,
    "crm_provider" TEXT,
    "cti_connector" TEXT,
    "mode" TEXT NOT NULL DEFAULT 'push',
    "api_key_hash" TEXT,
    "api_key_prefix" TEXT,
    "api_key_issued_at" TIMESTAMPTZ(3),
    "connected_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "integration_pkey" PRIMARY KEY ("company_id")
);

-- CreateTable
CREATE TABLE "webhook_endpoint" (
    "company_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "secret_encrypted" TEXT,
    "max_in_flight" INTEGER NOT NULL DEFAULT 4,
    "last_claimed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("company_id")
);

-- CreateTable
CREATE TABLE "webhook_delivery" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "event" TEXT NOT NULL,
    "call_id" UUID,
    "sequence" INTEGER,
    "body" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "claim_id" UUID,
    "last_status_code" INTEGER,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_attempt" (
    "id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "latency_ms" INTEGER NOT NULL,
    "url" TEXT NOT NULL,
    "request_headers" JSONB NOT NULL,
    "status_code" INTEGER,
    "response_headers" JSONB,
    "response_body" TEXT,
    "error" TEXT,

    CONSTRAINT "webhook_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "screen_pop_entry" (
    "company_id" UUID NOT NULL,
    "phone" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "external_system" TEXT,
    "external_id" TEXT,
    "tier" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "screen_pop_entry_pkey" PRIMARY KEY ("company_id","phone")
);

-- CreateTable
CREATE TABLE "call" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "direction" TEXT NOT NULL,
    "trigger" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "phone" TEXT NOT NULL,
    "external_id" TEXT,
    "contact_id" UUID,
    "campaign_id" UUID,
    "metadata" JSONB,
    "screen_pop" JSONB,
    "end_reason" TEXT,
    "ended_by" TEXT,
    "end_detail" TEXT,
    "sip_code" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ringing_at" TIMESTAMPTZ(3),
    "answered_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "disposition_code" TEXT,
    "disposition_label" TEXT,
    "disposition_notes" TEXT,
    "callback_at" TIMESTAMPTZ(3),
    "disposed_at" TIMESTAMPTZ(3),
    "sequence" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "call_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "company_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "status" INTEGER,
    "response" JSONB,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("company_id","key")
);

-- CreateIndex
CREATE UNIQUE INDEX "company_slug_key" ON "company"("slug");

-- CreateIndex
CREATE INDEX "agent_email_idx" ON "agent"("email");

-- CreateIndex
CREATE INDEX "agent_agent_code_idx" ON "agent"("agent_code");

-- CreateIndex
CREATE UNIQUE INDEX "agent_company_id_agent_code_key" ON "agent"("company_id", "agent_code");

-- CreateIndex
CREATE UNIQUE INDEX "agent_company_id_email_key" ON "agent"("company_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "integration_api_key_hash_key" ON "integration"("api_key_hash");

-- CreateIndex
CREATE INDEX "webhook_delivery_company_id_id_idx" ON "webhook_delivery"("company_id", "id");

-- CreateIndex
CREATE INDEX "webhook_delivery_call_id_sequence_idx" ON "webhook_delivery"("call_id", "sequence");

-- CreateIndex
CREATE INDEX "webhook_attempt_delivery_id_number_idx" ON "webhook_attempt"("delivery_id", "number");

-- CreateIndex
CREATE INDEX "call_company_id_id_idx" ON "call"("company_id", "id");

-- CreateIndex
CREATE INDEX "call_company_id_agent_id_id_idx" ON "call"("company_id", "agent_id", "id");

-- CreateIndex
CREATE INDEX "call_company_id_phone_id_idx" ON "call"("company_id", "phone", "id");

-- CreateIndex
CREATE INDEX "idempotency_key_expires_at_idx" ON "idempotency_key"("expires_at");

-- AddForeignKey
ALTER TABLE "agent" ADD CONSTRAINT "agent_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "integration" ADD CONSTRAINT "integration_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_attempt" ADD CONSTRAINT "webhook_attempt_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "webhook_delivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "screen_pop_entry" ADD CONSTRAINT "screen_pop_entry_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "call" ADD CONSTRAINT "call_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "call" ADD CONSTRAINT "call_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency_key" ADD CONSTRAINT "idempotency_key_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand, since schema.prisma cannot describe partial indexes: what is due, per company, for the fair claim
CREATE INDEX "webhook_delivery_due_idx" ON "webhook_delivery"("company_id", "due_at", "id") WHERE "state" IN ('pending', 'in_flight');

-- By hand: the agents' calls under way
CREATE INDEX "call_active_idx" ON "call"("company_id", "agent_id") WHERE "state" <> 'ended';
