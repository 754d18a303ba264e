-- What it takes to dial through the platform, sealed.
ALTER TABLE "cti_connection" ADD COLUMN "dialing_encrypted" TEXT;
