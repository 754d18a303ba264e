-- AlterTable
ALTER TABLE "import" ADD COLUMN     "first_row_number" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "samples" JSONB;

-- AlterTable
ALTER TABLE "import_row" ADD COLUMN     "remarks" JSONB;

