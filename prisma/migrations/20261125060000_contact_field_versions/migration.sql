-- AlterTable
ALTER TABLE "contact_field" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;
