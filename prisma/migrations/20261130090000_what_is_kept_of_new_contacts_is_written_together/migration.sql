-- What is kept beside new contacts, their addresses and numbers was written row by row, which took a quarter of an
-- import's time: now once for each statement that makes them. Contacts that are changed are few, and stay as they were.

-- Rows are looked up one by one, by their keys: a table that was never analyzed would be read from end to end.
CREATE FUNCTION "write_search_of_made_contacts"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  -- A rename at this moment is over first, or waits until this is.
  PERFORM FROM (
    SELECT DISTINCT m.company_id, m.organisation_id FROM made m WHERE m.organisation_id IS NOT NULL ORDER BY 1, 2
  ) n CROSS JOIN LATERAL (
    SELECT FROM organisation o WHERE o.company_id = n.company_id AND o.id = n.organisation_id FOR SHARE
  ) o;
  -- One that is made with its addresses is written with them.
  PERFORM write_contact_search(m.company_id, m.id, m.name, m.organisation_id) FROM made m WHERE (
    SELECT true FROM contact_email e WHERE e.company_id = m.company_id AND e.contact_id = m.id LIMIT 1
  ) IS NULL;
  RETURN NULL;
END $$;

CREATE FUNCTION "write_tags_of_made_contacts"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_tag (company_id, tag, contact_id)
  SELECT DISTINCT m.company_id, tag, m.id FROM made m CROSS JOIN LATERAL unnest(m.tags) tag ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE FUNCTION "write_search_of_changed_addresses"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_contact_search(c.company_id, c.id, c.name, c.organisation_id)
  FROM (SELECT DISTINCT company_id, contact_id FROM changed) n CROSS JOIN LATERAL (
    SELECT * FROM contact c WHERE c.company_id = n.company_id AND c.id = n.contact_id OFFSET 0
  ) c;
  RETURN NULL;
END $$;

CREATE FUNCTION "compare_made_contacts"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_to_compare (company_id, contact_id, change)
  SELECT m.company_id, m.id, pg_current_xact_id()::text::bigint FROM made m ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE FUNCTION "compare_contacts_of_made"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_to_compare (company_id, contact_id, change)
  SELECT DISTINCT m.company_id, m.contact_id, pg_current_xact_id()::text::bigint FROM made m ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

DROP TRIGGER "contact_search_of_new" ON "contact";
DROP TRIGGER "contact_tags_of_new" ON "contact";
DROP TRIGGER "contact_comparison_of_new" ON "contact";
DROP TRIGGER "contact_search_of_emails" ON "contact_email";
DROP TRIGGER "contact_comparison_of_emails" ON "contact_email";
DROP TRIGGER "contact_comparison_of_phones" ON "contact_phone";
DROP FUNCTION "contact_email_to_search"();

CREATE TRIGGER "contact_search_of_new" AFTER INSERT ON "contact" REFERENCING NEW TABLE AS "made"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_search_of_made_contacts"();
CREATE TRIGGER "contact_tags_of_new" AFTER INSERT ON "contact" REFERENCING NEW TABLE AS "made"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_tags_of_made_contacts"();
CREATE TRIGGER "contact_comparison_of_new" AFTER INSERT ON "contact" REFERENCING NEW TABLE AS "made"
  FOR EACH STATEMENT EXECUTE FUNCTION "compare_made_contacts"();
CREATE TRIGGER "contact_search_of_new_emails" AFTER INSERT ON "contact_email" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_search_of_changed_addresses"();
CREATE TRIGGER "contact_search_of_deleted_emails" AFTER DELETE ON "contact_email" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "write_search_of_changed_addresses"();
CREATE TRIGGER "contact_comparison_of_emails" AFTER INSERT ON "contact_email" REFERENCING NEW TABLE AS "made"
  FOR EACH STATEMENT EXECUTE FUNCTION "compare_contacts_of_made"();
CREATE TRIGGER "contact_comparison_of_phones" AFTER INSERT ON "contact_phone" REFERENCING NEW TABLE AS "made"
  FOR EACH STATEMENT EXECUTE FUNCTION "compare_contacts_of_made"();

-- Of contacts that are changed alone.
CREATE OR REPLACE FUNCTION "contact_to_search"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  -- A rename at this moment is over first, or waits until this is.
  PERFORM FROM organisation o WHERE o.company_id = NEW.company_id AND o.id = NEW.organisation_id FOR SHARE;
  PERFORM write_contact_search(NEW.company_id, NEW.id, NEW.name, NEW.organisation_id);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "contact_tags_to_table"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM contact_tag t WHERE t.company_id = NEW.company_id AND t.contact_id = NEW.id AND t.tag <> ALL (NEW.tags);
  INSERT INTO contact_tag (company_id, tag, contact_id)
  SELECT DISTINCT NEW.company_id, tag, NEW.id FROM unnest(NEW.tags) tag ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
