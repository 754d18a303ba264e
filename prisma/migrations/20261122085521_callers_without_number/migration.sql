-- AlterTable
ALTER TABLE "call" ADD COLUMN     "caller" TEXT,
ALTER COLUMN "phone" DROP NOT NULL;
