-- Which calls are under way will be asked by when they ended: a row says both, or neither.
ALTER TABLE "call" ADD CONSTRAINT "call_ended_check" CHECK (("state" = 'ended') = ("ended_at" IS NOT NULL)) NOT VALID;

-- Room for the next version of a row beside it: a call is written some four times.
ALTER TABLE "call" SET (fillfactor = 80);
