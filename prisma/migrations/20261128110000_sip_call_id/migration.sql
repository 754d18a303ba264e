ALTER TABLE "call" ADD COLUMN "sip_call_id" TEXT;
