-- CreateTable
CREATE TABLE "decided_call" (
    "company_id" UUID NOT NULL,
    "call_id" UUID NOT NULL,
    "record_by" TIMESTAMPTZ(3),

    CONSTRAINT "decided_call_pkey" PRIMARY KEY ("company_id","call_id")
);

-- CreateIndex
CREATE INDEX "decided_call_call_id_idx" ON "decided_call"("call_id");

-- By hand, since schema.prisma cannot describe triggers: looked at when the transaction commits, after every lock that it
-- had to wait for. Readyline's own error class; see postgresErrors.ts.
CREATE FUNCTION "refuse_late_record"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF clock_timestamp() > NEW."record_by" THEN
    RAISE EXCEPTION 'the call % was to be recorded earlier', NEW."call_id" USING ERRCODE = 'RL001';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER "decided_call_in_time" AFTER INSERT ON "decided_call"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW."record_by" IS NOT NULL)
  EXECUTE FUNCTION "refuse_late_record"();
