-- AlterTable
ALTER TABLE "call" ADD COLUMN     "parent_call_id" UUID,
ADD COLUMN     "transferred_from" JSONB;
