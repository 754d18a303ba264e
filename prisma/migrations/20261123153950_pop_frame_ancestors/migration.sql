-- AlterTable
ALTER TABLE "integration" ADD COLUMN     "pop_frame_ancestors" JSONB;
