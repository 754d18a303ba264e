-- Calls in figures, so that a report on very many need not read each: what is rolled up, until when, and what has to be rolled up again.
CREATE TABLE "call_roll_up" (
    "company_id" UUID NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL,

    CONSTRAINT "call_roll_up_pkey" PRIMARY KEY ("company_id")
);

CREATE TABLE "call_quarter" (
    "company_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "calls" INTEGER NOT NULL,
    "outbound" INTEGER NOT NULL,
    "answered" INTEGER NOT NULL,
    "missed" INTEGER NOT NULL,
    "transferred" INTEGER NOT NULL,
    "talk_seconds" BIGINT NOT NULL,
    "hold_seconds" BIGINT NOT NULL,
    "inbound_answered" INTEGER NOT NULL,
    "answer_ms" BIGINT NOT NULL,
    "measured" INTEGER NOT NULL,
    "mos_sum" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "call_quarter_pkey" PRIMARY KEY ("company_id","agent_id","at")
);

CREATE TABLE "call_day" (
    "company_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "agent_id" UUID NOT NULL,
    "disposition_code" TEXT NOT NULL,
    "disposition_label" TEXT,
    "last_call_id" UUID NOT NULL,
    "calls" INTEGER NOT NULL,
    "outbound" INTEGER NOT NULL,
    "answered" INTEGER NOT NULL,
    "missed" INTEGER NOT NULL,
    "transferred" INTEGER NOT NULL,
    "talk_seconds" BIGINT NOT NULL,
    "hold_seconds" BIGINT NOT NULL,
    "inbound_answered" INTEGER NOT NULL,
    "answer_ms" BIGINT NOT NULL,
    "measured" INTEGER NOT NULL,
    "mos_sum" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "call_day_pkey" PRIMARY KEY ("company_id","at","agent_id","disposition_code")
);

CREATE TABLE "stale_call_day" (
    "company_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "change" BIGINT NOT NULL,

    CONSTRAINT "stale_call_day_pkey" PRIMARY KEY ("company_id","at","change")
);

ALTER TABLE "call_roll_up" ADD CONSTRAINT "call_roll_up_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "call_quarter" ADD CONSTRAINT "call_quarter_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "call_day" ADD CONSTRAINT "call_day_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "stale_call_day" ADD CONSTRAINT "stale_call_day_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A call of more than a day ago that changes in a figure has its day rolled up again, whoever changes it. Days are rolled up later than that, so that
-- calls under way are not looked at here. Of a company that is being removed nothing is kept.
CREATE FUNCTION "note_stale_call_day"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed timestamptz[] := CASE TG_OP WHEN 'INSERT' THEN ARRAY[NEW.created_at] WHEN 'DELETE' THEN ARRAY[OLD.created_at] ELSE ARRAY[OLD.created_at, NEW.created_at] END;
BEGIN
  INSERT INTO stale_call_day (company_id, at, change)
  SELECT DISTINCT c.id, date_bin('1 day', began, 'epoch'::timestamptz), pg_current_xact_id()::text::bigint
  FROM unnest(changed) began, company c WHERE c.id = CASE TG_OP WHEN 'DELETE' THEN OLD.company_id ELSE NEW.company_id END
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER "call_added_late" AFTER INSERT ON "call" FOR EACH ROW
  WHEN (NEW.created_at < now() - interval '1 day') EXECUTE FUNCTION "note_stale_call_day"();

CREATE TRIGGER "call_changed_late" AFTER UPDATE ON "call" FOR EACH ROW
  WHEN (least(OLD.created_at, NEW.created_at) < now() - interval '1 day' AND
    (OLD.created_at, OLD.agent_id, OLD.direction, OLD.state, OLD.end_reason, OLD.answered_at, OLD.ended_at, OLD.hold_ms, OLD.quality, OLD.disposition_code, OLD.disposition_label)
    IS DISTINCT FROM
    (NEW.created_at, NEW.agent_id, NEW.direction, NEW.state, NEW.end_reason, NEW.answered_at, NEW.ended_at, NEW.hold_ms, NEW.quality, NEW.disposition_code, NEW.disposition_label))
  EXECUTE FUNCTION "note_stale_call_day"();

CREATE TRIGGER "call_removed_late" AFTER DELETE ON "call" FOR EACH ROW
  WHEN (OLD.created_at < now() - interval '1 day') EXECUTE FUNCTION "note_stale_call_day"();
