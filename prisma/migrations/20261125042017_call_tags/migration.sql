-- AlterTable
ALTER TABLE "call" ADD COLUMN     "callback_draft" TIMESTAMPTZ(3),
ADD COLUMN     "code_draft" TEXT,
ADD COLUMN     "tags" JSONB NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "company" ADD COLUMN     "free_tags" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "tags" JSONB NOT NULL DEFAULT '[]';
