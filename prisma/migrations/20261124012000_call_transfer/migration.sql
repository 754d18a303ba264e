-- Whom the agent handed a call on to.
ALTER TABLE "call" ADD COLUMN "transferred_to" TEXT;
