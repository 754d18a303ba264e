-- How screen pops show their fields.
CREATE TABLE "pop_layout" (
    "company_id" UUID NOT NULL,
    "fields" JSONB NOT NULL,
    "version" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pop_layout_pkey" PRIMARY KEY ("company_id")
);

ALTER TABLE "pop_layout" ADD CONSTRAINT "pop_layout_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;
