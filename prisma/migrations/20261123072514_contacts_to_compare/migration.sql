-- Those that were there before are compared in the background.
INSERT INTO "contact_to_compare" ("company_id", "contact_id", "change")
SELECT c."company_id", c."id", 0 FROM "contact" c ORDER BY c."company_id", c."id" FOR KEY SHARE OF c
ON CONFLICT DO NOTHING;
