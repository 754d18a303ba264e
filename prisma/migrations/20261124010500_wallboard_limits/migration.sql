-- From when on the wallboard marks what takes long; null: the usual times.
ALTER TABLE "company" ADD COLUMN "wallboard_limits" JSONB;
