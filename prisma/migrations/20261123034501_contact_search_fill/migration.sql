-- Of those that were there before. Apart from the triggers: making them locks writers out, and this may take its time.
INSERT INTO "contact_search" ("company_id", "contact_id", "text")
SELECT c."company_id", c."id", crm_search_text(concat_ws(' ', c."name", o."name",
  (SELECT string_agg(e."email", ' ' ORDER BY e."position", e."email") FROM "contact_email" e WHERE e."company_id" = c."company_id" AND e."contact_id" = c."id")))
FROM "contact" c LEFT JOIN "organisation" o ON o."company_id" = c."company_id" AND o."id" = c."organisation_id"
ORDER BY c."company_id", c."id" FOR KEY SHARE OF c
ON CONFLICT DO NOTHING;

INSERT INTO "organisation_search" ("company_id", "organisation_id", "text")
SELECT o."company_id", o."id", crm_search_text(o."name") FROM "organisation" o FOR KEY SHARE
ON CONFLICT DO NOTHING;

INSERT INTO "contact_tag" ("company_id", "tag", "contact_id")
SELECT c."company_id", t."tag", c."id" FROM "contact" c CROSS JOIN LATERAL unnest(c."tags") AS t ("tag") FOR KEY SHARE OF c
ON CONFLICT DO NOTHING;

ANALYZE "contact_search", "organisation_search", "contact_tag";
