-- What an agent has noted of a call so far.
ALTER TABLE "call" ADD COLUMN "notes_draft" TEXT;
