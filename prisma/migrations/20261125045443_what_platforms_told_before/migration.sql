-- What platforms told of calls before anybody of the company was on them, and what they told while a dial was being decided.
-- CreateTable
CREATE TABLE "heard_call" (
    "company_id" UUID NOT NULL,
    "connector" TEXT NOT NULL,
    "call_id" TEXT NOT NULL,
    "customer" TEXT,
    "direction" TEXT,
    "queue" TEXT,
    "cause" TEXT,
    "ended" BOOLEAN NOT NULL DEFAULT false,
    "heard_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "heard_call_pkey" PRIMARY KEY ("company_id","connector","call_id")
);

-- CreateTable
CREATE TABLE "waiting_platform_event" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "connector" TEXT NOT NULL,
    "event" JSONB NOT NULL,
    "heard_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "waiting_platform_event_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE INDEX "heard_call_heard_at_idx" ON "heard_call"("heard_at");

-- CreateIndex
CREATE INDEX "waiting_platform_event_heard_at_idx" ON "waiting_platform_event"("heard_at");

-- AddForeignKey
ALTER TABLE "heard_call" ADD CONSTRAINT "heard_call_company_id_connector_fkey" FOREIGN KEY ("company_id", "connector") REFERENCES "cti_connection"("company_id", "connector") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "waiting_platform_event" ADD CONSTRAINT "waiting_platform_event_company_id_connector_fkey" FOREIGN KEY ("company_id", "connector") REFERENCES "cti_connection"("company_id", "connector") ON DELETE CASCADE ON UPDATE CASCADE;
