-- Two calls of a softphone at once: which of the two.
ALTER TABLE "call" ADD COLUMN     "slot" SMALLINT NOT NULL DEFAULT 0;
