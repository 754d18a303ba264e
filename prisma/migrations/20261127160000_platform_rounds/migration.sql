-- AlterTable
ALTER TABLE "call" ADD COLUMN     "platform_round" INTEGER NOT NULL DEFAULT 0;
