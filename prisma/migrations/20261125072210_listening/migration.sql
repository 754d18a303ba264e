-- AlterTable
ALTER TABLE "audit_entry" ADD COLUMN     "agent_id" UUID,
ADD COLUMN     "call_id" UUID,
ADD COLUMN     "mode" TEXT,
ALTER COLUMN "contact_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "company" ADD COLUMN     "listening" TEXT NOT NULL DEFAULT 'visible';
