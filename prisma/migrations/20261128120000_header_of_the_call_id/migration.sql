ALTER TABLE "telephony" ADD COLUMN "call_id_header" TEXT;
