ALTER TABLE "telephony" ADD COLUMN     "queue_header" TEXT;
