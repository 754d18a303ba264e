-- CreateTable
CREATE TABLE "message" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "sender_id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "audience_id" UUID,
    "audience_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "taken_back_at" TIMESTAMPTZ(3),
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "message_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "message_reader" (
    "company_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "read_at" TIMESTAMPTZ(3),

    CONSTRAINT "message_reader_pkey" PRIMARY KEY ("company_id","message_id","agent_id")
);

-- CreateIndex
CREATE INDEX "message_company_id_changed_at_idx" ON "message"("company_id", "changed_at");

-- CreateIndex
CREATE INDEX "message_created_at_idx" ON "message"("created_at");

-- CreateIndex
CREATE INDEX "message_reader_company_id_agent_id_message_id_idx" ON "message_reader"("company_id", "agent_id", "message_id");

-- AddForeignKey
ALTER TABLE "message" ADD CONSTRAINT "message_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "message" ADD CONSTRAINT "message_company_id_sender_id_fkey" FOREIGN KEY ("company_id", "sender_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "message_reader" ADD CONSTRAINT "message_reader_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "message_reader" ADD CONSTRAINT "message_reader_company_id_message_id_fkey" FOREIGN KEY ("company_id", "message_id") REFERENCES "message"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
