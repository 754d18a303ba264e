-- By hand, since schema.prisma cannot describe partial indexes: an agent is on one call at a time.

-- A gateway of the version before may write meanwhile.
LOCK TABLE "call" IN SHARE ROW EXCLUSIVE MODE;

-- All but the newest of an agent's calls that have not ended were left behind.
UPDATE "call" SET "state" = 'ended', "ended_at" = greatest("created_at", now()), "end_reason" = 'failed',
  "ended_by" = 'system', "end_detail" = 'softphone_lost', "version" = "version" + 1
WHERE "state" <> 'ended' AND EXISTS (
  SELECT FROM "call" "newer"
  WHERE "newer"."company_id" = "call"."company_id" AND "newer"."agent_id" = "call"."agent_id"
    AND "newer"."state" <> 'ended' AND "newer"."id" > "call"."id"
);

DROP INDEX "call_active_idx";
CREATE UNIQUE INDEX "call_active_key" ON "call"("company_id", "agent_id") WHERE "state" <> 'ended';
