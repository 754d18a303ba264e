-- AlterTable
ALTER TABLE "agent" ADD COLUMN     "limited_to_teams" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "team_lead" (
    "company_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,

    CONSTRAINT "team_lead_pkey" PRIMARY KEY ("company_id","agent_id","team_id")
);

-- CreateIndex
CREATE INDEX "team_lead_company_id_team_id_idx" ON "team_lead"("company_id", "team_id");

-- AddForeignKey
ALTER TABLE "team_lead" ADD CONSTRAINT "team_lead_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "team_lead" ADD CONSTRAINT "team_lead_company_id_team_id_fkey" FOREIGN KEY ("company_id", "team_id") REFERENCES "team"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
