-- Some ten keys are written for each row of a file, by whoever holds the import's own row: to look for that row again with each of them took a
-- third of their time. What the reference was for is done once for each import that goes.
ALTER TABLE "import_key" DROP CONSTRAINT "import_key_company_id_import_id_fkey";

CREATE FUNCTION "forget_keys_of_imports"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM import_key k USING gone g WHERE k.company_id = g.company_id AND k.import_id = g.id;
  RETURN NULL;
END $$;

CREATE TRIGGER "import_keys_of_deleted" AFTER DELETE ON "import" REFERENCING OLD TABLE AS "gone" FOR EACH STATEMENT
  EXECUTE FUNCTION "forget_keys_of_imports"();
