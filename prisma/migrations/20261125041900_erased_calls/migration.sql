-- AlterTable
ALTER TABLE "call" ADD COLUMN     "erased_at" TIMESTAMPTZ(3);
