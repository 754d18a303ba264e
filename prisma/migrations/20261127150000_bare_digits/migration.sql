-- AlterTable
ALTER TABLE "company" ADD COLUMN     "bare_digits" TEXT NOT NULL DEFAULT 'national';
