-- By hand, since schema.prisma cannot describe indexes of expressions: agent codes are compared without case and
-- surrounding spaces, and shown as they were given.

-- A gateway of the version before may write meanwhile.
LOCK TABLE "agent" IN SHARE ROW EXCLUSIVE MODE;

-- Which of two agents a caller means cannot be decided here.
DO $$
DECLARE
  collisions text;
BEGIN
  SELECT string_agg(of_company."codes", '; ') INTO collisions
  FROM (
    SELECT "company"."slug" || ': ' || string_agg('"' || "agent_code" || '"', ', ' ORDER BY "agent_code") AS "codes"
    FROM "agent" JOIN "company" ON "company"."id" = "agent"."company_id"
    GROUP BY "company"."slug", lower(btrim("agent_code"))
    HAVING count(*) > 1
    ORDER BY 1
    LIMIT 20
  ) AS of_company;
  IF collisions IS NOT NULL THEN
    RAISE EXCEPTION 'agent codes are the same now whatever their case, and a company has each of these more than once (%). Start the version before, give all but one of each another agent_code (console, or PATCH /api/agents/{id}), then start this one again', collisions;
  END IF;
END $$;

-- The code first: a log-in without a company looks by it alone.
CREATE UNIQUE INDEX "agent_folded_code_company_id_key" ON "agent"(lower(btrim("agent_code")), "company_id");
