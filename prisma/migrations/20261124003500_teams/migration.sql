-- Agents who take calls together; an agent may be in several.
CREATE TABLE "team" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "team_pkey" PRIMARY KEY ("company_id", "id")
);

CREATE UNIQUE INDEX "team_company_id_code_key" ON "team" ("company_id", (lower(btrim("code"))));

CREATE TABLE "team_member" (
    "company_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,

    CONSTRAINT "team_member_pkey" PRIMARY KEY ("company_id", "team_id", "agent_id")
);

CREATE INDEX "team_member_company_id_agent_id_idx" ON "team_member" ("company_id", "agent_id");

ALTER TABLE "team" ADD CONSTRAINT "team_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "team_member" ADD CONSTRAINT "team_member_company_id_team_id_fkey" FOREIGN KEY ("company_id", "team_id") REFERENCES "team"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "team_member" ADD CONSTRAINT "team_member_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
