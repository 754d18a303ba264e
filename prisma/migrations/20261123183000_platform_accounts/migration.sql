-- What it takes to have the platform dial, and to hear from it, sealed; whether the gateway listens there, and which one does.
ALTER TABLE "cti_connection" ADD COLUMN "account_encrypted" TEXT,
ADD COLUMN "listens" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "listener_id" UUID,
ADD COLUMN "listener_until" TIMESTAMPTZ(3),
ADD COLUMN "listener_error" TEXT;

-- For the gateways that look for connections to listen at.
CREATE INDEX "cti_connection_listens_idx" ON "cti_connection"("company_id", "connector") WHERE "listens";
