-- Where a call's recording is heard.
ALTER TABLE "call" ADD COLUMN "recording_url" TEXT;

-- What was changed of how a call was wrapped up.
CREATE TABLE "call_correction" (
    "company_id" UUID NOT NULL,
    "call_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "by_id" UUID,
    "before" JSONB,
    "after" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "call_correction_pkey" PRIMARY KEY ("company_id", "call_id", "id")
);

ALTER TABLE "call_correction" ADD CONSTRAINT "call_correction_company_id_call_id_fkey" FOREIGN KEY ("company_id", "call_id") REFERENCES "call"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
