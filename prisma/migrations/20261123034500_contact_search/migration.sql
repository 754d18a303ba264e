-- What contacts and organisations are found by, kept by triggers: no writer can forget it, and gateways of the former version write it too.

-- A text as it is compared: without accents and case, its words apart by one space. src/domain/searchText.ts does the same.
CREATE FUNCTION "crm_fold"("given" TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT trim(regexp_replace(
    replace(replace(replace(replace(
      translate(regexp_replace(lower(normalize(given, NFKD)), '[\u0300-\u036f''\u2018\u2019\u02bc]', '', 'g'), 'øđðłıħŧς', 'oddlihtσ'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u206f\u3000-\u303f]+', ' ', 'g'))
$$;

-- The same with a space at both ends: every word begins after one.
CREATE FUNCTION "crm_search_text"("given" TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT ' ' || crm_fold(given) || ' '
$$;

-- CreateTable
CREATE TABLE "contact_search" (
    "company_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "contact_search_pkey" PRIMARY KEY ("company_id","contact_id")
);

-- CreateTable
CREATE TABLE "organisation_search" (
    "company_id" UUID NOT NULL,
    "organisation_id" UUID NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "organisation_search_pkey" PRIMARY KEY ("company_id","organisation_id")
);

-- CreateTable
CREATE TABLE "contact_tag" (
    "company_id" UUID NOT NULL,
    "tag" TEXT NOT NULL,
    "contact_id" UUID NOT NULL,

    CONSTRAINT "contact_tag_pkey" PRIMARY KEY ("company_id","tag","contact_id")
);

-- CreateIndex
CREATE INDEX "contact_tag_company_id_contact_id_idx" ON "contact_tag"("company_id", "contact_id");

-- By the beginning, in the order of names. A part of the text alone: an index row has its limit. Without the ids: PostgreSQL 18 would
-- look for one through all of the names.
CREATE INDEX "contact_search_begins_idx" ON "contact_search"("company_id", (left("text", 64)) COLLATE "C");
CREATE INDEX "organisation_search_begins_idx" ON "organisation_search"("company_id", (left("text", 64)) COLLATE "C");

-- AddForeignKey
ALTER TABLE "contact_search" ADD CONSTRAINT "contact_search_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contact"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organisation_search" ADD CONSTRAINT "organisation_search_company_id_organisation_id_fkey" FOREIGN KEY ("company_id", "organisation_id") REFERENCES "organisation"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_tag" ADD CONSTRAINT "contact_tag_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contact"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By any part, where the database has the extensions or lets us create them; else names are found by their beginning alone.
-- What new rows wait in is kept short: each search reads through it.
DO $$
BEGIN
  BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE EXTENSION IF NOT EXISTS btree_gin;
  EXCEPTION WHEN OTHERS THEN
    RAISE NOTICE 'contacts are found by the beginning of their names alone: %', SQLERRM;
  END;
  IF (SELECT count(*) FROM pg_extension WHERE extname IN ('pg_trgm', 'btree_gin')) = 2 THEN
    CREATE INDEX "contact_search_parts_idx" ON "contact_search" USING GIN ("company_id", "text" gin_trgm_ops) WITH (gin_pending_list_limit = 1024);
    CREATE INDEX "organisation_search_parts_idx" ON "organisation_search" USING GIN ("company_id", "text" gin_trgm_ops) WITH (gin_pending_list_limit = 1024);
  END IF;
END $$;

-- The text of one contact. What its row says is given: looking for it is dear in a table that was never analyzed.
CREATE FUNCTION "write_contact_search"("of_company" UUID, "of_contact" UUID, "named" TEXT, "of_organisation" UUID) RETURNS VOID LANGUAGE sql AS $$
  INSERT INTO contact_search AS s (company_id, contact_id, text)
  SELECT of_company, of_contact, crm_search_text(concat_ws(' ', named,
    (SELECT o.name FROM organisation o WHERE o.company_id = of_company AND o.id = of_organisation),
    (SELECT string_agg(e.email, ' ' ORDER BY e.position, e.email) FROM contact_email e WHERE e.company_id = of_company AND e.contact_id = of_contact)))
  ON CONFLICT (company_id, contact_id) DO UPDATE SET text = excluded.text WHERE s.text <> excluded.text
$$;

CREATE FUNCTION "contact_to_search"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  -- A rename at this moment is over first, or waits until this is.
  PERFORM FROM organisation o WHERE o.company_id = NEW.company_id AND o.id = NEW.organisation_id FOR SHARE;
  PERFORM write_contact_search(NEW.company_id, NEW.id, NEW.name, NEW.organisation_id);
  RETURN NULL;
END $$;

CREATE FUNCTION "contact_tags_to_table"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM contact_tag t WHERE t.company_id = NEW.company_id AND t.contact_id = NEW.id AND t.tag <> ALL (NEW.tags);
  INSERT INTO contact_tag (company_id, tag, contact_id) SELECT DISTINCT NEW.company_id, tag, NEW.id FROM unnest(NEW.tags) tag ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE FUNCTION "contact_email_to_search"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_contact_search(c.company_id, c.id, c.name, c.organisation_id) FROM contact c
  WHERE c.company_id = coalesce(NEW.company_id, OLD.company_id) AND c.id = coalesce(NEW.contact_id, OLD.contact_id);
  RETURN NULL;
END $$;

CREATE FUNCTION "organisation_to_search"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO organisation_search AS s (company_id, organisation_id, text) VALUES (NEW.company_id, NEW.id, crm_search_text(NEW.name))
  ON CONFLICT (company_id, organisation_id) DO UPDATE SET text = excluded.text WHERE s.text <> excluded.text;
  IF TG_OP = 'UPDATE' THEN
    -- Whoever changes one of them at this moment is over first.
    PERFORM FROM contact c WHERE c.company_id = NEW.company_id AND c.organisation_id = NEW.id ORDER BY c.id FOR NO KEY UPDATE;
    PERFORM write_contact_search(c.company_id, c.id, c.name, c.organisation_id) FROM contact c WHERE c.company_id = NEW.company_id AND c.organisation_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "contact_search_of_new" AFTER INSERT ON "contact" FOR EACH ROW EXECUTE FUNCTION "contact_to_search"();
CREATE TRIGGER "contact_search_of_changed" AFTER UPDATE OF "name", "organisation_id" ON "contact" FOR EACH ROW
  WHEN (OLD."name" IS DISTINCT FROM NEW."name" OR OLD."organisation_id" IS DISTINCT FROM NEW."organisation_id") EXECUTE FUNCTION "contact_to_search"();
CREATE TRIGGER "contact_tags_of_new" AFTER INSERT ON "contact" FOR EACH ROW WHEN (cardinality(NEW."tags") > 0) EXECUTE FUNCTION "contact_tags_to_table"();
CREATE TRIGGER "contact_tags_of_changed" AFTER UPDATE OF "tags" ON "contact" FOR EACH ROW
  WHEN (OLD."tags" IS DISTINCT FROM NEW."tags") EXECUTE FUNCTION "contact_tags_to_table"();
CREATE TRIGGER "contact_search_of_emails" AFTER INSERT OR DELETE ON "contact_email" FOR EACH ROW EXECUTE FUNCTION "contact_email_to_search"();
CREATE TRIGGER "organisation_search_of_new" AFTER INSERT ON "organisation" FOR EACH ROW EXECUTE FUNCTION "organisation_to_search"();
CREATE TRIGGER "organisation_search_of_changed" AFTER UPDATE OF "name" ON "organisation" FOR EACH ROW
  WHEN (OLD."name" IS DISTINCT FROM NEW."name") EXECUTE FUNCTION "organisation_to_search"();
