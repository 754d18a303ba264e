-- AlterTable
ALTER TABLE "call" ADD COLUMN     "override_by" UUID;

-- AlterTable
ALTER TABLE "company" ADD COLUMN     "preview_dial" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "skip_reasons" JSONB,
ADD COLUMN     "speed_dials" JSONB;

-- AlterTable
ALTER TABLE "task" ADD COLUMN     "skips" JSONB NOT NULL DEFAULT '[]';

-- CreateTable
CREATE TABLE "agent_softphone" (
    "company_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "speed_dials" JSONB NOT NULL DEFAULT '[]',
    "speed_dial_version" INTEGER NOT NULL DEFAULT 0,
    "missed_seen_at" TIMESTAMPTZ(3),

    CONSTRAINT "agent_softphone_pkey" PRIMARY KEY ("company_id","agent_id")
);

-- CreateTable
CREATE TABLE "do_not_dial" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "pattern" TEXT NOT NULL,
    "note" TEXT,
    "added_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "do_not_dial_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "do_not_dial_company_id_pattern_key" ON "do_not_dial"("company_id", "pattern");

-- AddForeignKey
ALTER TABLE "agent_softphone" ADD CONSTRAINT "agent_softphone_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "do_not_dial" ADD CONSTRAINT "do_not_dial_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;
