ALTER TABLE "heard_call" ADD COLUMN "dialed_number" TEXT;
