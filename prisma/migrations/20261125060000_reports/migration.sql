-- What agents did beyond what their timelines are kept for, views of reports, and when their reports are sent.
CREATE TABLE "agent_time" (
    "company_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "agent_id" UUID NOT NULL,
    "signed_in_ms" INTEGER NOT NULL,
    "busy_ms" INTEGER NOT NULL,
    "wrap_up_ms" INTEGER NOT NULL,

    CONSTRAINT "agent_time_pkey" PRIMARY KEY ("company_id","at","agent_id")
);

CREATE TABLE "report_reach" (
    "company_id" UUID NOT NULL,
    "known_since" TIMESTAMPTZ(3),
    "rolled_up_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "report_reach_pkey" PRIMARY KEY ("company_id")
);

CREATE TABLE "report_view" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "owner_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "is_shared" BOOLEAN NOT NULL DEFAULT false,
    "filter" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "report_view_pkey" PRIMARY KEY ("company_id","id")
);

CREATE TABLE "report_schedule" (
    "company_id" UUID NOT NULL,
    "view_id" UUID NOT NULL,
    "every" TEXT NOT NULL,
    "time_of_day" TEXT NOT NULL,
    "weekday" INTEGER,
    "month_day" INTEGER,
    "time_zone" TEXT NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3),
    "last_outcome" TEXT,
    "last_delivery_id" UUID,

    CONSTRAINT "report_schedule_pkey" PRIMARY KEY ("company_id","view_id")
);

CREATE INDEX "report_view_company_id_owner_id_idx" ON "report_view"("company_id", "owner_id");

CREATE INDEX "report_schedule_due_at_idx" ON "report_schedule"("due_at");

ALTER TABLE "agent_time" ADD CONSTRAINT "agent_time_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "report_reach" ADD CONSTRAINT "report_reach_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "report_view" ADD CONSTRAINT "report_view_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "report_view" ADD CONSTRAINT "report_view_company_id_owner_id_fkey" FOREIGN KEY ("company_id", "owner_id") REFERENCES "agent"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "report_schedule" ADD CONSTRAINT "report_schedule_company_id_view_id_fkey" FOREIGN KEY ("company_id", "view_id") REFERENCES "report_view"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
