-- AlterTable
ALTER TABLE "call" ADD COLUMN     "customer_name" TEXT,
ADD COLUMN     "metadata_text" TEXT,
ADD COLUMN     "screen_pop_text" TEXT;

-- AlterTable
ALTER TABLE "screen_pop_entry" ADD COLUMN     "data_text" TEXT;
