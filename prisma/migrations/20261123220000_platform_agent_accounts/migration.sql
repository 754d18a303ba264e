-- What an agent logs in with at its platform, sealed, where that dials for nobody else.
ALTER TABLE "platform_agent" ADD COLUMN "account_encrypted" TEXT;
