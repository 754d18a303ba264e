-- By hand. Everything of a company names the company first (docs/decisions/0027); attempts did not name it at all. Rewrites
-- nothing: the table is locked for milliseconds.
ALTER TABLE "webhook_attempt" ADD COLUMN "company_id" UUID;

-- For the rows to come; those that are there are filled and checked by the next migration, while gateways serve.
ALTER TABLE "webhook_attempt" ADD CONSTRAINT "webhook_attempt_company_id_named" CHECK ("company_id" IS NOT NULL) NOT VALID;

-- For gateways of the version before, which do not name it. Goes with the migration `keys_of_older_gateways`.
CREATE FUNCTION "name_company_of_attempt"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT "company_id" INTO NEW."company_id" FROM "webhook_delivery" WHERE "id" = NEW."delivery_id";
  RETURN NEW;
END $$;

CREATE TRIGGER "webhook_attempt_company" BEFORE INSERT ON "webhook_attempt" FOR EACH ROW
  WHEN (NEW."company_id" IS NULL) EXECUTE FUNCTION "name_company_of_attempt"();
