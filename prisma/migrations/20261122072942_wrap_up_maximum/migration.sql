-- AlterTable
ALTER TABLE "company" ADD COLUMN     "wrap_up_max_seconds" INTEGER NOT NULL DEFAULT 600;
