-- AlterTable
ALTER TABLE "telephony" ADD COLUMN     "echo_number" TEXT;
