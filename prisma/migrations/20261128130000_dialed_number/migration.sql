ALTER TABLE "call" ADD COLUMN "dialed_number" TEXT;
ALTER TABLE "telephony" ADD COLUMN "dialed_number_header" TEXT;
