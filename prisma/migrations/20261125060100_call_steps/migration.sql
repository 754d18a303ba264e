-- What the times of a call do not tell: each time that it was put on hold and taken back, and who freed its agent.
ALTER TABLE "call" ADD COLUMN "steps" JSONB;
