-- The settings of a company are one value. What was chosen is taken over; a disposition's flag is set in each.
ALTER TABLE "company" ADD COLUMN "settings" JSONB NOT NULL DEFAULT '{}';

UPDATE "company" SET "settings" = jsonb_strip_nulls(jsonb_build_object(
  'wrap_up_seconds', "wrap_up_seconds",
  'wrap_up_max_seconds', "wrap_up_max_seconds",
  'language', "language",
  'contact_scope', "contact_scope",
  'callback_assignee', "callback_assignee",
  'listening', "listening",
  'tags', "tags",
  'free_tags', "free_tags",
  'not_ready_reasons', "not_ready_reasons",
  'speed_dials', "speed_dials",
  'preview_dial', "preview_dial",
  'dispositions', (
    SELECT jsonb_agg(one || jsonb_build_object('requires_callback_at', coalesce(one->'requires_callback_at', to_jsonb(one->>'code' = 'callback'))) ORDER BY place)
    FROM jsonb_array_elements("dispositions") WITH ORDINALITY AS each (one, place))))
  -- In these a null is a value.
  || CASE WHEN "skip_reasons" IS NULL THEN '{}' ELSE jsonb_build_object('skip_reasons', "skip_reasons") END
  || CASE WHEN "wallboard_limits" IS NULL THEN '{}' ELSE jsonb_build_object('wallboard_limits', "wallboard_limits") END;

ALTER TABLE "company" DROP COLUMN "wrap_up_seconds", DROP COLUMN "wrap_up_max_seconds", DROP COLUMN "language", DROP COLUMN "contact_scope",
  DROP COLUMN "callback_assignee", DROP COLUMN "listening", DROP COLUMN "dispositions", DROP COLUMN "tags", DROP COLUMN "free_tags",
  DROP COLUMN "wallboard_limits", DROP COLUMN "not_ready_reasons", DROP COLUMN "speed_dials", DROP COLUMN "preview_dial", DROP COLUMN "skip_reasons";
