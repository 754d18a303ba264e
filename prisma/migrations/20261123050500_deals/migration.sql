-- CreateTable
CREATE TABLE "pipeline" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pipeline_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "pipeline_stage" (
    "company_id" UUID NOT NULL,
    "pipeline_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "probability" INTEGER NOT NULL,

    CONSTRAINT "pipeline_stage_pkey" PRIMARY KEY ("company_id","pipeline_id","id")
);

-- CreateTable
CREATE TABLE "deal" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "pipeline_id" UUID NOT NULL,
    "stage_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "value" DECIMAL(18,3),
    "currency" TEXT,
    "owner_id" UUID,
    "contact_id" UUID,
    "organisation_id" UUID,
    "expected_close" DATE,
    "version" INTEGER NOT NULL DEFAULT 1,
    "moved_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "deal_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "deal_move" (
    "company_id" UUID NOT NULL,
    "deal_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "agent_id" UUID,
    "from_stage_id" UUID,
    "from_stage" TEXT,
    "to_stage_id" UUID NOT NULL,
    "to_stage" TEXT NOT NULL,

    CONSTRAINT "deal_move_pkey" PRIMARY KEY ("company_id","deal_id","id")
);

-- CreateIndex
CREATE INDEX "deal_company_id_pipeline_id_stage_id_moved_at_id_idx" ON "deal"("company_id", "pipeline_id", "stage_id", "moved_at", "id");

-- CreateIndex
CREATE INDEX "deal_company_id_owner_id_id_idx" ON "deal"("company_id", "owner_id", "id");

-- CreateIndex
CREATE INDEX "deal_company_id_contact_id_id_idx" ON "deal"("company_id", "contact_id", "id");

-- CreateIndex
CREATE INDEX "deal_company_id_organisation_id_id_idx" ON "deal"("company_id", "organisation_id", "id");

-- CreateIndex
CREATE INDEX "deal_company_id_expected_close_id_idx" ON "deal"("company_id", "expected_close", "id");

-- AddForeignKey
ALTER TABLE "pipeline" ADD CONSTRAINT "pipeline_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pipeline_stage" ADD CONSTRAINT "pipeline_stage_company_id_pipeline_id_fkey" FOREIGN KEY ("company_id", "pipeline_id") REFERENCES "pipeline"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deal" ADD CONSTRAINT "deal_company_id_pipeline_id_stage_id_fkey" FOREIGN KEY ("company_id", "pipeline_id", "stage_id") REFERENCES "pipeline_stage"("company_id", "pipeline_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deal" ADD CONSTRAINT "deal_company_id_owner_id_fkey" FOREIGN KEY ("company_id", "owner_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deal" ADD CONSTRAINT "deal_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contact"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deal" ADD CONSTRAINT "deal_company_id_organisation_id_fkey" FOREIGN KEY ("company_id", "organisation_id") REFERENCES "organisation"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deal_move" ADD CONSTRAINT "deal_move_company_id_deal_id_fkey" FOREIGN KEY ("company_id", "deal_id") REFERENCES "deal"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
