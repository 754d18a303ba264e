-- AlterTable
ALTER TABLE "company" ADD COLUMN     "language" TEXT;
