-- AlterTable
ALTER TABLE "import_key" ADD COLUMN     "name" TEXT NOT NULL DEFAULT '';
