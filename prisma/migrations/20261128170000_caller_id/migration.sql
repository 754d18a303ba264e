-- AlterTable
ALTER TABLE "call" ADD COLUMN     "caller_id" TEXT;

-- AlterTable
ALTER TABLE "telephony" ADD COLUMN     "caller_id_header" TEXT;
