-- AlterTable
ALTER TABLE "company" ADD COLUMN     "callback_assignee" TEXT NOT NULL DEFAULT 'agent';

-- CreateTable
CREATE TABLE "task" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "title" TEXT,
    "notes" TEXT,
    "contact_id" UUID,
    "phone" TEXT,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "time_zone" TEXT NOT NULL,
    "assignee_id" UUID,
    "state" TEXT NOT NULL DEFAULT 'open',
    "call_id" UUID,
    "fired_at" TIMESTAMPTZ(3),
    "remind_at" TIMESTAMPTZ(3),
    "created_by" UUID,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "task_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE INDEX "task_company_id_state_due_at_id_idx" ON "task"("company_id", "state", "due_at", "id");

-- CreateIndex
CREATE INDEX "task_company_id_assignee_id_state_due_at_id_idx" ON "task"("company_id", "assignee_id", "state", "due_at", "id");

-- CreateIndex
CREATE INDEX "task_company_id_contact_id_due_at_id_idx" ON "task"("company_id", "contact_id", "due_at", "id");

-- CreateIndex
CREATE INDEX "task_company_id_phone_idx" ON "task"("company_id", "phone");

-- CreateIndex
CREATE UNIQUE INDEX "task_company_id_call_id_key" ON "task"("company_id", "call_id");

-- AddForeignKey
ALTER TABLE "task" ADD CONSTRAINT "task_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task" ADD CONSTRAINT "task_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contact"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task" ADD CONSTRAINT "task_company_id_assignee_id_fkey" FOREIGN KEY ("company_id", "assignee_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- What falls due next, of all companies.
CREATE INDEX "task_remind_idx" ON "task"("remind_at") WHERE "remind_at" IS NOT NULL;
