ALTER TABLE "telephony" ADD COLUMN     "transfer_by" TEXT,
ADD COLUMN     "transfer_code" TEXT;
