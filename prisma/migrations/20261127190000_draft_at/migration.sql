-- AlterTable
ALTER TABLE "call" ADD COLUMN     "draft_at" TIMESTAMPTZ(3);
