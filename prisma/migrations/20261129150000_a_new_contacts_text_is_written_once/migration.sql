-- What a contact is found by was written twice where it was made together with its addresses, as imports make them: by
-- its own trigger, and by that of its addresses, which is enough.
CREATE OR REPLACE FUNCTION "contact_to_search"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  -- A rename at this moment is over first, or waits until this is.
  PERFORM FROM organisation o WHERE o.company_id = NEW.company_id AND o.id = NEW.organisation_id FOR SHARE;
  IF TG_OP = 'INSERT' AND EXISTS (
    SELECT FROM contact_email e WHERE e.company_id = NEW.company_id AND e.contact_id = NEW.id
  ) THEN
    RETURN NULL;
  END IF;
  PERFORM write_contact_search(NEW.company_id, NEW.id, NEW.name, NEW.organisation_id);
  RETURN NULL;
END $$;

-- A new contact has no tags in the table that would have to go.
CREATE OR REPLACE FUNCTION "contact_tags_to_table"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM contact_tag t WHERE t.company_id = NEW.company_id AND t.contact_id = NEW.id AND t.tag <> ALL (NEW.tags);
  END IF;
  INSERT INTO contact_tag (company_id, tag, contact_id)
  SELECT DISTINCT NEW.company_id, tag, NEW.id FROM unnest(NEW.tags) tag ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
