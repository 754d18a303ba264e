-- CreateTable
CREATE TABLE "contact_to_compare" (
    "company_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "change" BIGINT NOT NULL,

    CONSTRAINT "contact_to_compare_pkey" PRIMARY KEY ("company_id","contact_id","change")
);

-- CreateTable
CREATE TABLE "contact_duplicate" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "other_id" UUID NOT NULL,
    "score" INTEGER NOT NULL,
    "reasons" TEXT[],
    "dismissed_at" TIMESTAMPTZ(3),
    "dismissed_by" UUID,

    CONSTRAINT "contact_duplicate_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE INDEX "contact_duplicate_company_id_other_id_idx" ON "contact_duplicate"("company_id", "other_id");

-- CreateIndex
CREATE UNIQUE INDEX "contact_duplicate_company_id_contact_id_other_id_key" ON "contact_duplicate"("company_id", "contact_id", "other_id");

-- AddForeignKey
ALTER TABLE "contact_to_compare" ADD CONSTRAINT "contact_to_compare_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contact"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_duplicate" ADD CONSTRAINT "contact_duplicate_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contact"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_duplicate" ADD CONSTRAINT "contact_duplicate_company_id_other_id_fkey" FOREIGN KEY ("company_id", "other_id") REFERENCES "contact"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Suggestions in their order.
CREATE INDEX "contact_duplicate_open_idx" ON "contact_duplicate"("company_id", "score", "id") WHERE "dismissed_at" IS NULL;

-- A name as it sounds: its words without vowels but for their first letter, without h, without double letters, in order. It is what similar names
-- are looked up by; whether they are similar is decided by src/domain/duplicates.ts. Bound to crm_fold now: an index is built without a search path.
CREATE FUNCTION "crm_name_sound"("given" TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN (
  SELECT string_agg(sound, ' ' ORDER BY sound COLLATE "C") FROM (
    SELECT left(regexp_replace(regexp_replace(word, '(?<=.)[aeiouyh]', '', 'g'), '([^0-9])\1+', '\1', 'g'), 20) AS sound
    FROM regexp_split_to_table(crm_fold("given"), ' ') AS word
  ) AS sounds
);

-- Written with each change, and taken by whichever gateway compares next.
CREATE FUNCTION "contact_to_comparison"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_to_compare (company_id, contact_id, change) VALUES (NEW.company_id, NEW.id, pg_current_xact_id()::text::bigint) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE FUNCTION "contact_of_part_to_comparison"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_to_compare (company_id, contact_id, change) VALUES (NEW.company_id, NEW.contact_id, pg_current_xact_id()::text::bigint) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

-- Of a contact that is still there: what is deleted may go with it.
CREATE FUNCTION "contact_of_deleted_to_comparison"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_to_compare (company_id, contact_id, change)
  SELECT c.company_id, c.id, pg_current_xact_id()::text::bigint FROM contact c WHERE c.company_id = OLD.company_id AND c.id = OLD.contact_id
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER "contact_comparison_of_new" AFTER INSERT ON "contact" FOR EACH ROW EXECUTE FUNCTION "contact_to_comparison"();
CREATE TRIGGER "contact_comparison_of_changed" AFTER UPDATE OF "name", "organisation_id", "external_id" ON "contact" FOR EACH ROW
  WHEN (OLD."name" IS DISTINCT FROM NEW."name" OR OLD."organisation_id" IS DISTINCT FROM NEW."organisation_id" OR OLD."external_id" IS DISTINCT FROM NEW."external_id")
  EXECUTE FUNCTION "contact_to_comparison"();
CREATE TRIGGER "contact_comparison_of_phones" AFTER INSERT ON "contact_phone" FOR EACH ROW EXECUTE FUNCTION "contact_of_part_to_comparison"();
CREATE TRIGGER "contact_comparison_of_moved_phones" AFTER UPDATE OF "contact_id" ON "contact_phone" FOR EACH ROW
  WHEN (OLD."contact_id" IS DISTINCT FROM NEW."contact_id") EXECUTE FUNCTION "contact_of_part_to_comparison"();
CREATE TRIGGER "contact_comparison_of_emails" AFTER INSERT ON "contact_email" FOR EACH ROW EXECUTE FUNCTION "contact_of_part_to_comparison"();
CREATE TRIGGER "contact_comparison_of_deleted_phones" AFTER DELETE ON "contact_phone" FOR EACH ROW EXECUTE FUNCTION "contact_of_deleted_to_comparison"();
CREATE TRIGGER "contact_comparison_of_deleted_emails" AFTER DELETE ON "contact_email" FOR EACH ROW EXECUTE FUNCTION "contact_of_deleted_to_comparison"();
