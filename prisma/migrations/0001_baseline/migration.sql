-- CreateTable
CREATE TABLE "company" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "default_country" CHAR(2),
    "bare_digits" TEXT NOT NULL DEFAULT 'national',
    "wrap_up_seconds" INTEGER NOT NULL DEFAULT 30,
    "wrap_up_max_seconds" INTEGER NOT NULL DEFAULT 600,
    "language" TEXT,
    "contact_scope" TEXT NOT NULL DEFAULT 'company',
    "callback_assignee" TEXT NOT NULL DEFAULT 'agent',
    "listening" TEXT NOT NULL DEFAULT 'visible',
    "dispositions" JSONB NOT NULL,
    "tags" JSONB NOT NULL DEFAULT '[]',
    "free_tags" BOOLEAN NOT NULL DEFAULT false,
    "wallboard_limits" JSONB,
    "not_ready_reasons" JSONB NOT NULL,
    "speed_dials" JSONB,
    "preview_dial" BOOLEAN NOT NULL DEFAULT false,
    "skip_reasons" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "company_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "agent_code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT,
    "role" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "limited_to_teams" BOOLEAN NOT NULL DEFAULT false,
    "sip_user" TEXT,
    "sip_secret_encrypted" TEXT,
    "token_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "agent_softphone" (
    "company_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "speed_dials" JSONB NOT NULL DEFAULT '[]',
    "speed_dial_version" INTEGER NOT NULL DEFAULT 0,
    "missed_seen_at" TIMESTAMPTZ(3),

    CONSTRAINT "agent_softphone_pkey" PRIMARY KEY ("company_id","agent_id")
);

-- CreateTable
CREATE TABLE "do_not_dial" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "pattern" TEXT NOT NULL,
    "note" TEXT,
    "added_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "do_not_dial_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "team" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "team_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "team_member" (
    "company_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,

    CONSTRAINT "team_member_pkey" PRIMARY KEY ("company_id","team_id","agent_id")
);

-- CreateTable
CREATE TABLE "message" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "sender_id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "audience_id" UUID,
    "audience_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "taken_back_at" TIMESTAMPTZ(3),
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "message_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "message_reader" (
    "company_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "read_at" TIMESTAMPTZ(3),

    CONSTRAINT "message_reader_pkey" PRIMARY KEY ("company_id","message_id","agent_id")
);

-- CreateTable
CREATE TABLE "team_lead" (
    "company_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,

    CONSTRAINT "team_lead_pkey" PRIMARY KEY ("company_id","agent_id","team_id")
);

-- CreateTable
CREATE TABLE "integration" (
    "company_id" UUID NOT NULL,
    "crm_provider" TEXT,
    "cti_connector" TEXT,
    "mode" TEXT NOT NULL DEFAULT 'push',
    "api_key_hash" TEXT,
    "api_key_prefix" TEXT,
    "api_key_issued_at" TIMESTAMPTZ(3),
    "connected_at" TIMESTAMPTZ(3),
    "webhook_events" JSONB,
    "pop_frame_ancestors" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "integration_pkey" PRIMARY KEY ("company_id")
);

-- CreateTable
CREATE TABLE "telephony" (
    "company_id" UUID NOT NULL,
    "mode" TEXT NOT NULL DEFAULT 'none',
    "sip_wss_url" TEXT,
    "sip_domain" TEXT,
    "ice_servers_encrypted" TEXT,
    "no_answer_seconds" INTEGER,
    "desk_phone_scheme" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "telephony_pkey" PRIMARY KEY ("company_id")
);

-- CreateTable
CREATE TABLE "pop_layout" (
    "company_id" UUID NOT NULL,
    "fields" JSONB NOT NULL,
    "version" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pop_layout_pkey" PRIMARY KEY ("company_id")
);

-- CreateTable
CREATE TABLE "click_tally" (
    "company_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "dialed" INTEGER NOT NULL DEFAULT 0,
    "no_ready_agent" INTEGER NOT NULL DEFAULT 0,
    "agent_not_ready" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "click_tally_pkey" PRIMARY KEY ("company_id","at")
);

-- CreateTable
CREATE TABLE "agent_state_change" (
    "company_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "reason" TEXT,
    "call_id" UUID,

    CONSTRAINT "agent_state_change_pkey" PRIMARY KEY ("company_id","agent_id","at","version")
);

-- CreateTable
CREATE TABLE "agent_time" (
    "company_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "agent_id" UUID NOT NULL,
    "signed_in_ms" INTEGER NOT NULL,
    "busy_ms" INTEGER NOT NULL,
    "wrap_up_ms" INTEGER NOT NULL,

    CONSTRAINT "agent_time_pkey" PRIMARY KEY ("company_id","at","agent_id")
);

-- CreateTable
CREATE TABLE "report_reach" (
    "company_id" UUID NOT NULL,
    "known_since" TIMESTAMPTZ(3),
    "rolled_up_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "report_reach_pkey" PRIMARY KEY ("company_id")
);

-- CreateTable
CREATE TABLE "call_roll_up" (
    "company_id" UUID NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL,

    CONSTRAINT "call_roll_up_pkey" PRIMARY KEY ("company_id")
);

-- CreateTable
CREATE TABLE "call_quarter" (
    "company_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "calls" INTEGER NOT NULL,
    "outbound" INTEGER NOT NULL,
    "answered" INTEGER NOT NULL,
    "missed" INTEGER NOT NULL,
    "transferred" INTEGER NOT NULL,
    "talk_seconds" BIGINT NOT NULL,
    "hold_seconds" BIGINT NOT NULL,
    "inbound_answered" INTEGER NOT NULL,
    "answer_ms" BIGINT NOT NULL,
    "measured" INTEGER NOT NULL,
    "mos_sum" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "call_quarter_pkey" PRIMARY KEY ("company_id","agent_id","at")
);

-- CreateTable
CREATE TABLE "call_day" (
    "company_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "agent_id" UUID NOT NULL,
    "disposition_code" TEXT NOT NULL,
    "disposition_label" TEXT,
    "last_call_id" UUID NOT NULL,
    "calls" INTEGER NOT NULL,
    "outbound" INTEGER NOT NULL,
    "answered" INTEGER NOT NULL,
    "missed" INTEGER NOT NULL,
    "transferred" INTEGER NOT NULL,
    "talk_seconds" BIGINT NOT NULL,
    "hold_seconds" BIGINT NOT NULL,
    "inbound_answered" INTEGER NOT NULL,
    "answer_ms" BIGINT NOT NULL,
    "measured" INTEGER NOT NULL,
    "mos_sum" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "call_day_pkey" PRIMARY KEY ("company_id","at","agent_id","disposition_code")
);

-- CreateTable
CREATE TABLE "stale_call_day" (
    "company_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "change" BIGINT NOT NULL,

    CONSTRAINT "stale_call_day_pkey" PRIMARY KEY ("company_id","at","change")
);

-- CreateTable
CREATE TABLE "report_view" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "owner_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "is_shared" BOOLEAN NOT NULL DEFAULT false,
    "filter" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "report_view_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "report_schedule" (
    "company_id" UUID NOT NULL,
    "view_id" UUID NOT NULL,
    "every" TEXT NOT NULL,
    "time_of_day" TEXT NOT NULL,
    "weekday" INTEGER,
    "month_day" INTEGER,
    "time_zone" TEXT NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3),
    "last_outcome" TEXT,
    "last_delivery_id" UUID,

    CONSTRAINT "report_schedule_pkey" PRIMARY KEY ("company_id","view_id")
);

-- CreateTable
CREATE TABLE "webhook_endpoint" (
    "company_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "secret_encrypted" TEXT,
    "secret_previous_encrypted" TEXT,
    "secret_previous_until" TIMESTAMPTZ(3),
    "max_in_flight" INTEGER NOT NULL DEFAULT 4,
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "paused_until" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "last_claimed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("company_id")
);

-- CreateTable
CREATE TABLE "webhook_delivery" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "event" TEXT NOT NULL,
    "call_id" UUID,
    "sequence" INTEGER,
    "body" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "claim_id" UUID,
    "last_status_code" INTEGER,
    "last_error" TEXT,
    "last_error_cause" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "webhook_attempt" (
    "company_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "latency_ms" INTEGER NOT NULL,
    "url" TEXT NOT NULL,
    "request_headers" JSONB NOT NULL,
    "status_code" INTEGER,
    "response_headers" JSONB,
    "response_body" TEXT,
    "error" TEXT,
    "error_cause" JSONB,

    CONSTRAINT "webhook_attempt_pkey" PRIMARY KEY ("company_id","delivery_id","id")
);

-- CreateTable
CREATE TABLE "screen_pop_entry" (
    "company_id" UUID NOT NULL,
    "phone" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "data_text" TEXT,
    "external_system" TEXT,
    "external_id" TEXT,
    "tier" TEXT,
    "external_object" TEXT,
    "record_url" TEXT,
    "candidates" JSONB,
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "screen_pop_entry_pkey" PRIMARY KEY ("company_id","phone")
);

-- CreateTable
CREATE TABLE "call" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "direction" TEXT NOT NULL,
    "trigger" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "phone" TEXT,
    "caller" TEXT,
    "external_id" TEXT,
    "contact_id" UUID,
    "campaign_id" UUID,
    "metadata" JSONB,
    "screen_pop" JSONB,
    "metadata_text" TEXT,
    "screen_pop_text" TEXT,
    "customer_name" TEXT,
    "record_system" TEXT,
    "record_url" TEXT,
    "end_reason" TEXT,
    "ended_by" TEXT,
    "end_detail" TEXT,
    "sip_code" INTEGER,
    "transferred_to" TEXT,
    "parent_call_id" UUID,
    "transferred_from" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ringing_at" TIMESTAMPTZ(3),
    "answered_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "held_at" TIMESTAMPTZ(3),
    "hold_ms" INTEGER NOT NULL DEFAULT 0,
    "quality" JSONB,
    "steps" JSONB,
    "disposition_code" TEXT,
    "disposition_label" TEXT,
    "disposition_notes" TEXT,
    "callback_at" TIMESTAMPTZ(3),
    "disposed_at" TIMESTAMPTZ(3),
    "source" TEXT,
    "platform_call_id" TEXT,
    "platform_round" INTEGER NOT NULL DEFAULT 0,
    "queue" TEXT,
    "platform_at" TIMESTAMPTZ(3),
    "platform_rang_at" TIMESTAMPTZ(3),
    "platform_ended_at" TIMESTAMPTZ(3),
    "notes_draft" TEXT,
    "code_draft" TEXT,
    "callback_draft" TIMESTAMPTZ(3),
    "draft_at" TIMESTAMPTZ(3),
    "tags" JSONB NOT NULL DEFAULT '[]',
    "recording_url" TEXT,
    "override_by" UUID,
    "erased_at" TIMESTAMPTZ(3),
    "sequence" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "call_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "call_correction" (
    "company_id" UUID NOT NULL,
    "call_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "by_id" UUID,
    "before" JSONB,
    "after" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "call_correction_pkey" PRIMARY KEY ("company_id","call_id","id")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "company_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "status" INTEGER,
    "response" JSONB,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("company_id","key")
);

-- CreateTable
CREATE TABLE "decided_call" (
    "company_id" UUID NOT NULL,
    "call_id" UUID NOT NULL,
    "record_by" TIMESTAMPTZ(3),

    CONSTRAINT "decided_call_pkey" PRIMARY KEY ("company_id","call_id")
);

-- CreateTable
CREATE TABLE "crm_connection" (
    "company_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "credentials_encrypted" TEXT NOT NULL,
    "options" JSONB NOT NULL,
    "facts" JSONB NOT NULL,
    "account" TEXT NOT NULL,
    "attention" TEXT,
    "log_calls" TEXT NOT NULL DEFAULT 'all',
    "dispositions" JSONB NOT NULL DEFAULT '{}',
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "paused_until" TIMESTAMPTZ(3),
    "last_claimed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone,
    "keep_seconds" INTEGER NOT NULL,
    "token_encrypted" TEXT,
    "token_expires_at" TIMESTAMPTZ(3),
    "token_version" INTEGER NOT NULL DEFAULT 0,
    "token_lease_id" UUID,
    "token_lease_until" TIMESTAMPTZ(3),
    "connected_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "crm_connection_pkey" PRIMARY KEY ("company_id")
);

-- CreateTable
CREATE TABLE "crm_delivery" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "call_id" UUID NOT NULL,
    "sequence" INTEGER NOT NULL,
    "prepared" TEXT,
    "sent_at" TIMESTAMPTZ(3),
    "not_found_at" TIMESTAMPTZ(3),
    "entry_id" TEXT,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "claim_id" UUID,
    "last_status_code" INTEGER,
    "last_error" TEXT,
    "last_error_cause" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "crm_delivery_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "crm_attempt" (
    "company_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "latency_ms" INTEGER NOT NULL,
    "method" TEXT,
    "url" TEXT,
    "request_headers" JSONB NOT NULL,
    "request_body" TEXT,
    "status_code" INTEGER,
    "response_headers" JSONB,
    "response_body" TEXT,
    "error" TEXT,
    "error_cause" JSONB,

    CONSTRAINT "crm_attempt_pkey" PRIMARY KEY ("company_id","delivery_id","id")
);

-- CreateTable
CREATE TABLE "crm_inbound" (
    "company_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "secret_encrypted" TEXT,
    "signing_secret_encrypted" TEXT,
    "issued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_received_at" TIMESTAMPTZ(3),

    CONSTRAINT "crm_inbound_pkey" PRIMARY KEY ("company_id","provider")
);

-- CreateTable
CREATE TABLE "cti_connection" (
    "company_id" UUID NOT NULL,
    "connector" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "secret_encrypted" TEXT,
    "dial_via" TEXT NOT NULL DEFAULT 'nobody',
    "account_encrypted" TEXT,
    "listens" BOOLEAN NOT NULL DEFAULT false,
    "listener_id" UUID,
    "listener_until" TIMESTAMPTZ(3),
    "listener_error" TEXT,
    "issued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_received_at" TIMESTAMPTZ(3),

    CONSTRAINT "cti_connection_pkey" PRIMARY KEY ("company_id","connector")
);

-- CreateTable
CREATE TABLE "heard_call" (
    "company_id" UUID NOT NULL,
    "connector" TEXT NOT NULL,
    "call_id" TEXT NOT NULL,
    "customer" TEXT,
    "direction" TEXT,
    "queue" TEXT,
    "cause" TEXT,
    "ended" BOOLEAN NOT NULL DEFAULT false,
    "ended_at" TIMESTAMPTZ(3),
    "heard_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "heard_call_pkey" PRIMARY KEY ("company_id","connector","call_id")
);

-- CreateTable
CREATE TABLE "waiting_platform_event" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "connector" TEXT NOT NULL,
    "event" JSONB NOT NULL,
    "heard_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "waiting_platform_event_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "platform_agent" (
    "company_id" UUID NOT NULL,
    "connector" TEXT NOT NULL,
    "platform_id" TEXT NOT NULL,
    "email" TEXT,
    "name" TEXT,
    "agent_id" UUID,
    "matched_by" TEXT,
    "state" TEXT,
    "reason" TEXT,
    "state_at" TIMESTAMPTZ(3),
    "account_encrypted" TEXT,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "platform_agent_pkey" PRIMARY KEY ("company_id","connector","platform_id")
);

-- CreateTable
CREATE TABLE "crm_notice_queue" (
    "company_id" UUID NOT NULL,
    "claim_id" UUID,
    "leased_until" TIMESTAMPTZ(3),
    "rest_until" TIMESTAMPTZ(3),
    "served_at" TIMESTAMPTZ(6) NOT NULL DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone,

    CONSTRAINT "crm_notice_queue_pkey" PRIMARY KEY ("company_id")
);

-- CreateTable
CREATE TABLE "crm_notice" (
    "company_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "object" TEXT NOT NULL,
    "record_id" TEXT NOT NULL,
    "version" UUID NOT NULL,
    "told_at" TIMESTAMPTZ(3) NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "crm_notice_pkey" PRIMARY KEY ("company_id","provider","object","record_id")
);

-- CreateTable
CREATE TABLE "crm_login" (
    "company_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "credentials_encrypted" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "crm_login_pkey" PRIMARY KEY ("company_id")
);

-- CreateTable
CREATE TABLE "contact" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT,
    "organisation_id" UUID,
    "owner_id" UUID,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "tier" TEXT,
    "language" TEXT,
    "time_zone" TEXT,
    "notes" TEXT,
    "do_not_call" BOOLEAN NOT NULL DEFAULT false,
    "external_id" TEXT,
    "fields" JSONB NOT NULL DEFAULT '{}',
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "contact_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "contact_phone" (
    "company_id" UUID NOT NULL,
    "phone" TEXT NOT NULL,
    "contact_id" UUID NOT NULL,
    "label" TEXT,
    "is_primary" BOOLEAN NOT NULL DEFAULT false,
    "position" INTEGER NOT NULL,

    CONSTRAINT "contact_phone_pkey" PRIMARY KEY ("company_id","phone","contact_id")
);

-- CreateTable
CREATE TABLE "contact_email" (
    "company_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "label" TEXT,
    "is_primary" BOOLEAN NOT NULL DEFAULT false,
    "position" INTEGER NOT NULL,

    CONSTRAINT "contact_email_pkey" PRIMARY KEY ("company_id","contact_id","email")
);

-- CreateTable
CREATE TABLE "contact_change" (
    "company_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "agent_id" UUID,
    "text" TEXT,
    "edits" JSONB,
    "record_id" UUID,

    CONSTRAINT "contact_change_pkey" PRIMARY KEY ("company_id","contact_id","id")
);

-- CreateTable
CREATE TABLE "organisation" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "website" TEXT,
    "notes" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "organisation_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "contact_field" (
    "company_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "choices" JSONB,
    "position" INTEGER NOT NULL DEFAULT 0,
    "on_pop" BOOLEAN NOT NULL DEFAULT true,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "contact_field_pkey" PRIMARY KEY ("company_id","key")
);

-- CreateTable
CREATE TABLE "task" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "title" TEXT,
    "notes" TEXT,
    "contact_id" UUID,
    "phone" TEXT,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "time_zone" TEXT NOT NULL,
    "assignee_id" UUID,
    "state" TEXT NOT NULL DEFAULT 'open',
    "call_id" UUID,
    "fired_at" TIMESTAMPTZ(3),
    "remind_at" TIMESTAMPTZ(3),
    "created_by" UUID,
    "skips" JSONB NOT NULL DEFAULT '[]',
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "task_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "contact_search" (
    "company_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "contact_search_pkey" PRIMARY KEY ("company_id","contact_id")
);

-- CreateTable
CREATE TABLE "organisation_search" (
    "company_id" UUID NOT NULL,
    "organisation_id" UUID NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "organisation_search_pkey" PRIMARY KEY ("company_id","organisation_id")
);

-- CreateTable
CREATE TABLE "contact_tag" (
    "company_id" UUID NOT NULL,
    "tag" TEXT NOT NULL,
    "contact_id" UUID NOT NULL,

    CONSTRAINT "contact_tag_pkey" PRIMARY KEY ("company_id","tag","contact_id")
);

-- CreateTable
CREATE TABLE "contact_redirect" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,

    CONSTRAINT "contact_redirect_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "contact_to_compare" (
    "company_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "change" BIGINT NOT NULL,

    CONSTRAINT "contact_to_compare_pkey" PRIMARY KEY ("company_id","contact_id","change")
);

-- CreateTable
CREATE TABLE "contact_duplicate" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "other_id" UUID NOT NULL,
    "score" INTEGER NOT NULL,
    "reasons" TEXT[],
    "dismissed_at" TIMESTAMPTZ(3),
    "dismissed_by" UUID,

    CONSTRAINT "contact_duplicate_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "erased_number" (
    "company_id" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "erased_number_pkey" PRIMARY KEY ("company_id","hash")
);

-- CreateTable
CREATE TABLE "audit_entry" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "contact_id" UUID,
    "other_id" UUID,
    "by_id" UUID,
    "counts" JSONB,
    "agent_id" UUID,
    "call_id" UUID,
    "mode" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "import" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "agent_id" UUID NOT NULL,
    "delimiter" TEXT NOT NULL,
    "encoding" TEXT NOT NULL,
    "samples" JSONB,
    "has_header" BOOLEAN NOT NULL,
    "first_row_number" INTEGER NOT NULL DEFAULT 1,
    "first_row" JSONB NOT NULL,
    "mapping" JSONB NOT NULL,
    "default_country" TEXT,
    "row_count" INTEGER NOT NULL DEFAULT 0,
    "position" INTEGER NOT NULL DEFAULT 0,
    "pass" INTEGER NOT NULL DEFAULT 0,
    "counts" JSONB NOT NULL DEFAULT '{}',
    "version" INTEGER NOT NULL DEFAULT 1,
    "claim_id" UUID,
    "due_at" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "import_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "import_row" (
    "company_id" UUID NOT NULL,
    "import_id" UUID NOT NULL,
    "row" INTEGER NOT NULL,
    "cells" JSONB NOT NULL,
    "outcome" TEXT,
    "reason" JSONB,
    "remarks" JSONB,
    "contact_id" UUID,
    "before" JSONB,
    "contact_version" INTEGER,

    CONSTRAINT "import_row_pkey" PRIMARY KEY ("company_id","import_id","row")
);

-- CreateTable
CREATE TABLE "import_key" (
    "company_id" UUID NOT NULL,
    "import_id" UUID NOT NULL,
    "pass" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "row" INTEGER NOT NULL,
    "external_id" TEXT,
    "name" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "import_key_pkey" PRIMARY KEY ("company_id","import_id","pass","key")
);

-- CreateTable
CREATE TABLE "pipeline" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pipeline_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "pipeline_stage" (
    "company_id" UUID NOT NULL,
    "pipeline_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "probability" INTEGER NOT NULL,

    CONSTRAINT "pipeline_stage_pkey" PRIMARY KEY ("company_id","pipeline_id","id")
);

-- CreateTable
CREATE TABLE "deal" (
    "company_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "pipeline_id" UUID NOT NULL,
    "stage_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "value" DECIMAL(18,3),
    "currency" TEXT,
    "owner_id" UUID,
    "contact_id" UUID,
    "organisation_id" UUID,
    "expected_close" DATE,
    "version" INTEGER NOT NULL DEFAULT 1,
    "moved_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "deal_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "deal_move" (
    "company_id" UUID NOT NULL,
    "deal_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "agent_id" UUID,
    "from_stage_id" UUID,
    "from_stage" TEXT,
    "to_stage_id" UUID NOT NULL,
    "to_stage" TEXT NOT NULL,

    CONSTRAINT "deal_move_pkey" PRIMARY KEY ("company_id","deal_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "company_slug_key" ON "company"("slug");

-- CreateIndex
CREATE INDEX "agent_id_idx" ON "agent"("id");

-- CreateIndex
CREATE INDEX "agent_email_idx" ON "agent"("email");

-- CreateIndex
CREATE UNIQUE INDEX "agent_company_id_email_key" ON "agent"("company_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "do_not_dial_company_id_pattern_key" ON "do_not_dial"("company_id", "pattern");

-- CreateIndex
CREATE INDEX "team_member_company_id_agent_id_idx" ON "team_member"("company_id", "agent_id");

-- CreateIndex
CREATE INDEX "message_company_id_changed_at_idx" ON "message"("company_id", "changed_at");

-- CreateIndex
CREATE INDEX "message_created_at_idx" ON "message"("created_at");

-- CreateIndex
CREATE INDEX "message_reader_company_id_agent_id_message_id_idx" ON "message_reader"("company_id", "agent_id", "message_id");

-- CreateIndex
CREATE INDEX "team_lead_company_id_team_id_idx" ON "team_lead"("company_id", "team_id");

-- CreateIndex
CREATE INDEX "integration_api_key_hash_idx" ON "integration"("api_key_hash");

-- CreateIndex
CREATE INDEX "agent_state_change_at_idx" ON "agent_state_change"("at");

-- CreateIndex
CREATE INDEX "report_view_company_id_owner_id_idx" ON "report_view"("company_id", "owner_id");

-- CreateIndex
CREATE INDEX "report_schedule_due_at_idx" ON "report_schedule"("due_at");

-- CreateIndex
CREATE INDEX "webhook_delivery_id_idx" ON "webhook_delivery"("id");

-- CreateIndex
CREATE INDEX "webhook_delivery_call_id_sequence_idx" ON "webhook_delivery"("call_id", "sequence");

-- CreateIndex
CREATE INDEX "webhook_attempt_delivery_id_number_idx" ON "webhook_attempt"("delivery_id", "number");

-- CreateIndex
CREATE INDEX "screen_pop_entry_company_id_external_id_idx" ON "screen_pop_entry"("company_id", "external_id");

-- CreateIndex
CREATE INDEX "call_id_idx" ON "call"("id");

-- CreateIndex
CREATE INDEX "call_company_id_agent_id_id_idx" ON "call"("company_id", "agent_id", "id");

-- CreateIndex
CREATE INDEX "call_company_id_phone_id_idx" ON "call"("company_id", "phone", "id");

-- CreateIndex
CREATE INDEX "idempotency_key_expires_at_idx" ON "idempotency_key"("expires_at");

-- CreateIndex
CREATE INDEX "decided_call_call_id_idx" ON "decided_call"("call_id");

-- CreateIndex
CREATE INDEX "crm_delivery_id_idx" ON "crm_delivery"("id");

-- CreateIndex
CREATE INDEX "crm_delivery_company_id_call_id_sequence_idx" ON "crm_delivery"("company_id", "call_id", "sequence");

-- CreateIndex
CREATE INDEX "crm_inbound_token_hash_idx" ON "crm_inbound"("token_hash");

-- CreateIndex
CREATE INDEX "cti_connection_token_hash_idx" ON "cti_connection"("token_hash");

-- CreateIndex
CREATE INDEX "heard_call_heard_at_idx" ON "heard_call"("heard_at");

-- CreateIndex
CREATE INDEX "waiting_platform_event_heard_at_idx" ON "waiting_platform_event"("heard_at");

-- CreateIndex
CREATE INDEX "platform_agent_company_id_agent_id_idx" ON "platform_agent"("company_id", "agent_id");

-- CreateIndex
CREATE INDEX "crm_notice_company_id_told_at_idx" ON "crm_notice"("company_id", "told_at");

-- CreateIndex
CREATE INDEX "contact_company_id_updated_at_idx" ON "contact"("company_id", "updated_at");

-- CreateIndex
CREATE INDEX "contact_company_id_owner_id_id_idx" ON "contact"("company_id", "owner_id", "id");

-- CreateIndex
CREATE INDEX "contact_company_id_organisation_id_id_idx" ON "contact"("company_id", "organisation_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "contact_company_id_external_id_key" ON "contact"("company_id", "external_id");

-- CreateIndex
CREATE INDEX "contact_phone_company_id_contact_id_position_idx" ON "contact_phone"("company_id", "contact_id", "position");

-- CreateIndex
CREATE INDEX "contact_email_company_id_email_idx" ON "contact_email"("company_id", "email");

-- CreateIndex
CREATE INDEX "organisation_company_id_updated_at_id_idx" ON "organisation"("company_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "task_company_id_state_due_at_id_idx" ON "task"("company_id", "state", "due_at", "id");

-- CreateIndex
CREATE INDEX "task_company_id_state_created_at_id_idx" ON "task"("company_id", "state", "created_at", "id");

-- CreateIndex
CREATE INDEX "task_company_id_assignee_id_state_due_at_id_idx" ON "task"("company_id", "assignee_id", "state", "due_at", "id");

-- CreateIndex
CREATE INDEX "task_company_id_contact_id_due_at_id_idx" ON "task"("company_id", "contact_id", "due_at", "id");

-- CreateIndex
CREATE INDEX "task_company_id_phone_idx" ON "task"("company_id", "phone");

-- CreateIndex
CREATE UNIQUE INDEX "task_company_id_call_id_key" ON "task"("company_id", "call_id");

-- CreateIndex
CREATE INDEX "contact_tag_company_id_contact_id_idx" ON "contact_tag"("company_id", "contact_id");

-- CreateIndex
CREATE INDEX "contact_redirect_company_id_contact_id_idx" ON "contact_redirect"("company_id", "contact_id");

-- CreateIndex
CREATE INDEX "contact_duplicate_company_id_other_id_idx" ON "contact_duplicate"("company_id", "other_id");

-- CreateIndex
CREATE UNIQUE INDEX "contact_duplicate_company_id_contact_id_other_id_key" ON "contact_duplicate"("company_id", "contact_id", "other_id");

-- CreateIndex
CREATE INDEX "import_updated_at_idx" ON "import"("updated_at");

-- CreateIndex
CREATE INDEX "import_row_company_id_import_id_outcome_row_idx" ON "import_row"("company_id", "import_id", "outcome", "row");

-- CreateIndex
CREATE INDEX "import_row_company_id_contact_id_idx" ON "import_row"("company_id", "contact_id");

-- CreateIndex
CREATE INDEX "deal_company_id_pipeline_id_stage_id_moved_at_id_idx" ON "deal"("company_id", "pipeline_id", "stage_id", "moved_at", "id");

-- CreateIndex
CREATE INDEX "deal_company_id_owner_id_id_idx" ON "deal"("company_id", "owner_id", "id");

-- CreateIndex
CREATE INDEX "deal_company_id_contact_id_id_idx" ON "deal"("company_id", "contact_id", "id");

-- CreateIndex
CREATE INDEX "deal_company_id_organisation_id_id_idx" ON "deal"("company_id", "organisation_id", "id");

-- CreateIndex
CREATE INDEX "deal_company_id_expected_close_id_idx" ON "deal"("company_id", "expected_close", "id");

-- AddForeignKey
ALTER TABLE "agent" ADD CONSTRAINT "agent_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_softphone" ADD CONSTRAINT "agent_softphone_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "do_not_dial" ADD CONSTRAINT "do_not_dial_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "team" ADD CONSTRAINT "team_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "team_member" ADD CONSTRAINT "team_member_company_id_team_id_fkey" FOREIGN KEY ("company_id", "team_id") REFERENCES "team"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "team_member" ADD CONSTRAINT "team_member_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "message" ADD CONSTRAINT "message_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "message" ADD CONSTRAINT "message_company_id_sender_id_fkey" FOREIGN KEY ("company_id", "sender_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "message_reader" ADD CONSTRAINT "message_reader_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "message_reader" ADD CONSTRAINT "message_reader_company_id_message_id_fkey" FOREIGN KEY ("company_id", "message_id") REFERENCES "message"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "team_lead" ADD CONSTRAINT "team_lead_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "team_lead" ADD CONSTRAINT "team_lead_company_id_team_id_fkey" FOREIGN KEY ("company_id", "team_id") REFERENCES "team"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "integration" ADD CONSTRAINT "integration_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "telephony" ADD CONSTRAINT "telephony_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pop_layout" ADD CONSTRAINT "pop_layout_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "click_tally" ADD CONSTRAINT "click_tally_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_state_change" ADD CONSTRAINT "agent_state_change_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_time" ADD CONSTRAINT "agent_time_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "report_reach" ADD CONSTRAINT "report_reach_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "call_roll_up" ADD CONSTRAINT "call_roll_up_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "call_quarter" ADD CONSTRAINT "call_quarter_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "call_day" ADD CONSTRAINT "call_day_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stale_call_day" ADD CONSTRAINT "stale_call_day_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "report_view" ADD CONSTRAINT "report_view_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "report_view" ADD CONSTRAINT "report_view_company_id_owner_id_fkey" FOREIGN KEY ("company_id", "owner_id") REFERENCES "agent"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "report_schedule" ADD CONSTRAINT "report_schedule_company_id_view_id_fkey" FOREIGN KEY ("company_id", "view_id") REFERENCES "report_view"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_attempt" ADD CONSTRAINT "webhook_attempt_company_id_delivery_id_fkey" FOREIGN KEY ("company_id", "delivery_id") REFERENCES "webhook_delivery"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "screen_pop_entry" ADD CONSTRAINT "screen_pop_entry_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "call" ADD CONSTRAINT "call_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "call" ADD CONSTRAINT "call_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "call_correction" ADD CONSTRAINT "call_correction_company_id_call_id_fkey" FOREIGN KEY ("company_id", "call_id") REFERENCES "call"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency_key" ADD CONSTRAINT "idempotency_key_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "crm_connection" ADD CONSTRAINT "crm_connection_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "crm_delivery" ADD CONSTRAINT "crm_delivery_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "crm_attempt" ADD CONSTRAINT "crm_attempt_company_id_delivery_id_fkey" FOREIGN KEY ("company_id", "delivery_id") REFERENCES "crm_delivery"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "crm_inbound" ADD CONSTRAINT "crm_inbound_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cti_connection" ADD CONSTRAINT "cti_connection_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "heard_call" ADD CONSTRAINT "heard_call_company_id_connector_fkey" FOREIGN KEY ("company_id", "connector") REFERENCES "cti_connection"("company_id", "connector") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "waiting_platform_event" ADD CONSTRAINT "waiting_platform_event_company_id_connector_fkey" FOREIGN KEY ("company_id", "connector") REFERENCES "cti_connection"("company_id", "connector") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "platform_agent" ADD CONSTRAINT "platform_agent_company_id_connector_fkey" FOREIGN KEY ("company_id", "connector") REFERENCES "cti_connection"("company_id", "connector") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "platform_agent" ADD CONSTRAINT "platform_agent_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "crm_notice_queue" ADD CONSTRAINT "crm_notice_queue_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "crm_connection"("company_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "crm_notice" ADD CONSTRAINT "crm_notice_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "crm_notice_queue"("company_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "crm_login" ADD CONSTRAINT "crm_login_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact" ADD CONSTRAINT "contact_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact" ADD CONSTRAINT "contact_company_id_organisation_id_fkey" FOREIGN KEY ("company_id", "organisation_id") REFERENCES "organisation"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "contact" ADD CONSTRAINT "contact_company_id_owner_id_fkey" FOREIGN KEY ("company_id", "owner_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "contact_phone" ADD CONSTRAINT "contact_phone_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contact"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_email" ADD CONSTRAINT "contact_email_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contact"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_change" ADD CONSTRAINT "contact_change_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contact"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organisation" ADD CONSTRAINT "organisation_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_field" ADD CONSTRAINT "contact_field_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task" ADD CONSTRAINT "task_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task" ADD CONSTRAINT "task_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contact"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task" ADD CONSTRAINT "task_company_id_assignee_id_fkey" FOREIGN KEY ("company_id", "assignee_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "contact_search" ADD CONSTRAINT "contact_search_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contact"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organisation_search" ADD CONSTRAINT "organisation_search_company_id_organisation_id_fkey" FOREIGN KEY ("company_id", "organisation_id") REFERENCES "organisation"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_tag" ADD CONSTRAINT "contact_tag_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contact"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_redirect" ADD CONSTRAINT "contact_redirect_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contact"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_to_compare" ADD CONSTRAINT "contact_to_compare_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contact"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_duplicate" ADD CONSTRAINT "contact_duplicate_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contact"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_duplicate" ADD CONSTRAINT "contact_duplicate_company_id_other_id_fkey" FOREIGN KEY ("company_id", "other_id") REFERENCES "contact"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "erased_number" ADD CONSTRAINT "erased_number_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "audit_entry" ADD CONSTRAINT "audit_entry_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import" ADD CONSTRAINT "import_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_row" ADD CONSTRAINT "import_row_company_id_import_id_fkey" FOREIGN KEY ("company_id", "import_id") REFERENCES "import"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_key" ADD CONSTRAINT "import_key_company_id_import_id_fkey" FOREIGN KEY ("company_id", "import_id") REFERENCES "import"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pipeline" ADD CONSTRAINT "pipeline_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pipeline_stage" ADD CONSTRAINT "pipeline_stage_company_id_pipeline_id_fkey" FOREIGN KEY ("company_id", "pipeline_id") REFERENCES "pipeline"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deal" ADD CONSTRAINT "deal_company_id_pipeline_id_stage_id_fkey" FOREIGN KEY ("company_id", "pipeline_id", "stage_id") REFERENCES "pipeline_stage"("company_id", "pipeline_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deal" ADD CONSTRAINT "deal_company_id_owner_id_fkey" FOREIGN KEY ("company_id", "owner_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deal" ADD CONSTRAINT "deal_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contact"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deal" ADD CONSTRAINT "deal_company_id_organisation_id_fkey" FOREIGN KEY ("company_id", "organisation_id") REFERENCES "organisation"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deal_move" ADD CONSTRAINT "deal_move_company_id_deal_id_fkey" FOREIGN KEY ("company_id", "deal_id") REFERENCES "deal"("company_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand, here and below: schema.prisma cannot describe functions, triggers, and indexes of expressions or of a part of the rows.

-- Keys and indexes of agents, calls and their webhooks.

-- Agent codes are compared without case and surrounding spaces, and shown as they were given.
CREATE UNIQUE INDEX "agent_company_id_agent_code_key" ON "agent"("company_id", lower(btrim("agent_code")));

-- For log-ins without a company.
CREATE INDEX "agent_folded_code_idx" ON "agent"(lower(btrim("agent_code")), "company_id");
CREATE UNIQUE INDEX "team_company_id_code_key" ON "team" ("company_id", (lower(btrim("code"))));

-- An agent is on one call of its softphone at a time, and once on each round of a platform's call: it may be on two calls of one name,
-- e.g. one that is told of under the name of the call that it asks about.
CREATE UNIQUE INDEX "call_active_key" ON "call"("company_id", "agent_id", (coalesce("source", '')), (coalesce("platform_call_id", '')), "platform_round") WHERE "state" <> 'ended';

-- An agent has a call of a platform once in each round of its id.
CREATE UNIQUE INDEX "call_platform_key" ON "call"("company_id", "source", "platform_call_id", "agent_id", "platform_round") WHERE "source" IS NOT NULL;
CREATE INDEX "call_platform_silent_idx" ON "call"("platform_at") WHERE "state" <> 'ended' AND "source" IS NOT NULL;

-- What was handed on, and to whom.
CREATE INDEX "call_transferred_to_idx" ON "call"("company_id", "transferred_to") WHERE "transferred_to" IS NOT NULL;

-- The calls of one conversation.
CREATE INDEX "call_conversation_idx" ON "call"("company_id", "parent_call_id") WHERE "parent_call_id" IS NOT NULL;

-- The timeline of a contact: calls whose click named it, and calls with its record on the screen.
CREATE INDEX "call_contact_idx" ON "call"("company_id", "contact_id", "id") WHERE "contact_id" IS NOT NULL;
CREATE INDEX "call_popped_contact_idx" ON "call"("company_id", (("screen_pop" ->> 'contact_id'))) WHERE "screen_pop" ->> 'contact_id' IS NOT NULL;

-- What is due, per company, for the fair claim.
CREATE INDEX "webhook_delivery_due_idx" ON "webhook_delivery"("company_id", "due_at", "id") WHERE "state" IN ('pending', 'in_flight');

-- What was given up, for the log and for recovering it.
CREATE INDEX "webhook_delivery_dead_idx" ON "webhook_delivery"("company_id", "id") WHERE "state" = 'dead';

-- What a look into the outbox reads: the companies that have anything waiting, each by when it falls due.
CREATE INDEX "crm_delivery_due_idx" ON "crm_delivery"("company_id", "due_at", "id") WHERE "state" IN ('pending', 'in_flight');

-- What an admin looks for in the log, and what a recovery reads.
CREATE INDEX "crm_delivery_dead_idx" ON "crm_delivery"("company_id", "id") WHERE "state" = 'dead';

-- What was looked up is deleted by its time; what was pushed has none.
CREATE INDEX "screen_pop_entry_expires_idx" ON "screen_pop_entry"("expires_at") WHERE "expires_at" IS NOT NULL;

-- Such a record may be among several to choose from. There are never many of those: they are kept for minutes.
CREATE INDEX "screen_pop_entry_undecided_idx" ON "screen_pop_entry"("company_id") WHERE "candidates" IS NOT NULL;

-- For the gateways that look for connections to listen at.
CREATE INDEX "cti_connection_listens_idx" ON "cti_connection"("company_id", "connector") WHERE "listens";

-- A call is recorded in time, or not at all.

-- Looked at when the transaction commits, after every lock that it had to wait for. Readyline's own error class; see postgresErrors.ts.
CREATE FUNCTION "refuse_late_record"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF clock_timestamp() > NEW."record_by" THEN
    RAISE EXCEPTION 'the call % was to be recorded earlier', NEW."call_id" USING ERRCODE = 'RL001';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER "decided_call_in_time" AFTER INSERT ON "decided_call"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW."record_by" IS NOT NULL)
  EXECUTE FUNCTION "refuse_late_record"();

-- Attempts name their company.

-- For those who write an attempt without naming its company.
CREATE FUNCTION "name_company_of_attempt"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT "company_id" INTO NEW."company_id" FROM "webhook_delivery" WHERE "id" = NEW."delivery_id";
  RETURN NEW;
END $$;

CREATE TRIGGER "webhook_attempt_company" BEFORE INSERT ON "webhook_attempt" FOR EACH ROW
  WHEN (NEW."company_id" IS NULL) EXECUTE FUNCTION "name_company_of_attempt"();

-- The built-in CRM: what is due and what is listed.

-- What falls due next, of all companies.
CREATE INDEX "task_remind_idx" ON "task"("remind_at") WHERE "remind_at" IS NOT NULL;

-- What a gateway may take; over all companies.
CREATE INDEX "import_due_idx" ON "import"("due_at") WHERE "due_at" IS NOT NULL;

-- Rows with remarks are listed in their order, and few of many.
CREATE INDEX "import_row_remarks_idx" ON "import_row"("company_id", "import_id", "row") WHERE "remarks" IS NOT NULL;

-- Imports name organisations.
CREATE INDEX "organisation_by_name_idx" ON "organisation"("company_id", lower("name"));

-- The digits from the last to the first: a number is found by the last ones that somebody has noted.
CREATE INDEX "contact_phone_reversed_idx" ON "contact_phone"("company_id", (reverse("phone")) COLLATE "C");

-- Suggestions in their order.
CREATE INDEX "contact_duplicate_open_idx" ON "contact_duplicate"("company_id", "score", "id") WHERE "dismissed_at" IS NULL;
CREATE INDEX "contact_tier_idx" ON "contact"("company_id", "tier", "id") WHERE "tier" IS NOT NULL;
CREATE INDEX "contact_language_idx" ON "contact"("company_id", (lower(split_part("language", '-', 1))), "id") WHERE "language" IS NOT NULL;
CREATE INDEX "contact_do_not_call_idx" ON "contact"("company_id", "id") WHERE "do_not_call";

-- In the order of their values, those without one behind all others.
CREATE INDEX "deal_value_idx" ON "deal"("company_id", (coalesce("value", 'Infinity')), "id");

-- In the order in which they are expected to close, those without a date behind all others.
CREATE INDEX "deal_close_idx" ON "deal"("company_id", (coalesce("expected_close", 'infinity')), "id");

-- What contacts and organisations are found by, kept by triggers: no writer can forget it.

-- A text as it is compared: without accents and case, its words apart by one space. src/domain/searchText.ts does the same.
CREATE FUNCTION "crm_fold"("given" TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT trim(regexp_replace(
    replace(replace(replace(replace(
      translate(regexp_replace(lower(normalize(given, NFKD)), '[\u0300-\u036f''\u2018\u2019\u02bc]', '', 'g'), 'øđðłıħŧς', 'oddlihtσ'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u206f\u3000-\u303f]+', ' ', 'g'))
$$;

-- The same with a space at both ends: every word begins after one.
CREATE FUNCTION "crm_search_text"("given" TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT ' ' || crm_fold(given) || ' '
$$;

-- In the order of names, those without one behind all others.
CREATE INDEX "contact_name_idx" ON "contact"("company_id", (coalesce(left(crm_fold("name"), 64), U&'\+10FFFF')) COLLATE "C", "id");
CREATE INDEX "organisation_name_idx" ON "organisation"("company_id", (left(crm_fold("name"), 64)) COLLATE "C", "id");

-- By the beginning, in the order of names. A part of the text alone: an index row has its limit. Without the ids: PostgreSQL 18 would
-- look for one through all of the names.
CREATE INDEX "contact_search_begins_idx" ON "contact_search"("company_id", (left("text", 64)) COLLATE "C");
CREATE INDEX "organisation_search_begins_idx" ON "organisation_search"("company_id", (left("text", 64)) COLLATE "C");

-- By any part, where the database has the extensions or lets us create them; else names are found by their beginning alone.
-- What new rows wait in is kept short: each search reads through it.
DO $$
BEGIN
  BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE EXTENSION IF NOT EXISTS btree_gin;
  EXCEPTION WHEN OTHERS THEN
    RAISE NOTICE 'contacts are found by the beginning of their names alone: %', SQLERRM;
  END;
  IF (SELECT count(*) FROM pg_extension WHERE extname IN ('pg_trgm', 'btree_gin')) = 2 THEN
    CREATE INDEX "contact_search_parts_idx" ON "contact_search" USING GIN ("company_id", "text" gin_trgm_ops) WITH (gin_pending_list_limit = 1024);
    CREATE INDEX "organisation_search_parts_idx" ON "organisation_search" USING GIN ("company_id", "text" gin_trgm_ops) WITH (gin_pending_list_limit = 1024);
  END IF;
END $$;

-- The text of one contact. What its row says is given: looking for it is dear in a table that was never analyzed.
CREATE FUNCTION "write_contact_search"("of_company" UUID, "of_contact" UUID, "named" TEXT, "of_organisation" UUID) RETURNS VOID LANGUAGE sql AS $$
  INSERT INTO contact_search AS s (company_id, contact_id, text)
  SELECT of_company, of_contact, crm_search_text(concat_ws(' ', named,
    (SELECT o.name FROM organisation o WHERE o.company_id = of_company AND o.id = of_organisation),
    (SELECT string_agg(e.email, ' ' ORDER BY e.position, e.email) FROM contact_email e WHERE e.company_id = of_company AND e.contact_id = of_contact)))
  ON CONFLICT (company_id, contact_id) DO UPDATE SET text = excluded.text WHERE s.text <> excluded.text
$$;

CREATE FUNCTION "contact_to_search"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  -- A rename at this moment is over first, or waits until this is.
  PERFORM FROM organisation o WHERE o.company_id = NEW.company_id AND o.id = NEW.organisation_id FOR SHARE;
  PERFORM write_contact_search(NEW.company_id, NEW.id, NEW.name, NEW.organisation_id);
  RETURN NULL;
END $$;

CREATE FUNCTION "contact_tags_to_table"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM contact_tag t WHERE t.company_id = NEW.company_id AND t.contact_id = NEW.id AND t.tag <> ALL (NEW.tags);
  INSERT INTO contact_tag (company_id, tag, contact_id) SELECT DISTINCT NEW.company_id, tag, NEW.id FROM unnest(NEW.tags) tag ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE FUNCTION "contact_email_to_search"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_contact_search(c.company_id, c.id, c.name, c.organisation_id) FROM contact c
  WHERE c.company_id = coalesce(NEW.company_id, OLD.company_id) AND c.id = coalesce(NEW.contact_id, OLD.contact_id);
  RETURN NULL;
END $$;

CREATE FUNCTION "organisation_to_search"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO organisation_search AS s (company_id, organisation_id, text) VALUES (NEW.company_id, NEW.id, crm_search_text(NEW.name))
  ON CONFLICT (company_id, organisation_id) DO UPDATE SET text = excluded.text WHERE s.text <> excluded.text;
  IF TG_OP = 'UPDATE' THEN
    -- Whoever changes one of them at this moment is over first.
    PERFORM FROM contact c WHERE c.company_id = NEW.company_id AND c.organisation_id = NEW.id ORDER BY c.id FOR NO KEY UPDATE;
    PERFORM write_contact_search(c.company_id, c.id, c.name, c.organisation_id) FROM contact c WHERE c.company_id = NEW.company_id AND c.organisation_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "contact_search_of_new" AFTER INSERT ON "contact" FOR EACH ROW EXECUTE FUNCTION "contact_to_search"();
CREATE TRIGGER "contact_search_of_changed" AFTER UPDATE OF "name", "organisation_id" ON "contact" FOR EACH ROW
  WHEN (OLD."name" IS DISTINCT FROM NEW."name" OR OLD."organisation_id" IS DISTINCT FROM NEW."organisation_id") EXECUTE FUNCTION "contact_to_search"();
CREATE TRIGGER "contact_tags_of_new" AFTER INSERT ON "contact" FOR EACH ROW WHEN (cardinality(NEW."tags") > 0) EXECUTE FUNCTION "contact_tags_to_table"();
CREATE TRIGGER "contact_tags_of_changed" AFTER UPDATE OF "tags" ON "contact" FOR EACH ROW
  WHEN (OLD."tags" IS DISTINCT FROM NEW."tags") EXECUTE FUNCTION "contact_tags_to_table"();
CREATE TRIGGER "contact_search_of_emails" AFTER INSERT OR DELETE ON "contact_email" FOR EACH ROW EXECUTE FUNCTION "contact_email_to_search"();
CREATE TRIGGER "organisation_search_of_new" AFTER INSERT ON "organisation" FOR EACH ROW EXECUTE FUNCTION "organisation_to_search"();
CREATE TRIGGER "organisation_search_of_changed" AFTER UPDATE OF "name" ON "organisation" FOR EACH ROW
  WHEN (OLD."name" IS DISTINCT FROM NEW."name") EXECUTE FUNCTION "organisation_to_search"();

-- Contacts that may be the same.

-- A name as it sounds: its words without vowels but for their first letter, without h, without double letters, in order. It is what similar names
-- are looked up by; whether they are similar is decided by src/domain/duplicates.ts. Bound to crm_fold now: an index is built without a search path.
CREATE FUNCTION "crm_name_sound"("given" TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN (
  SELECT string_agg(sound, ' ' ORDER BY sound COLLATE "C") FROM (
    SELECT left(regexp_replace(regexp_replace(word, '(?<=.)[aeiouyh]', '', 'g'), '([^0-9])\1+', '\1', 'g'), 20) AS sound
    FROM regexp_split_to_table(crm_fold("given"), ' ') AS word
  ) AS sounds
);

-- Similar names of one organisation, and names alone.
CREATE INDEX "contact_name_sound_idx" ON "contact"("company_id", (crm_name_sound("name")) COLLATE "C", "organisation_id");

-- Written with each change, and taken by whichever gateway compares next.
CREATE FUNCTION "contact_to_comparison"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_to_compare (company_id, contact_id, change) VALUES (NEW.company_id, NEW.id, pg_current_xact_id()::text::bigint) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE FUNCTION "contact_of_part_to_comparison"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_to_compare (company_id, contact_id, change) VALUES (NEW.company_id, NEW.contact_id, pg_current_xact_id()::text::bigint) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

-- Of a contact that is still there: what is deleted may go with it.
CREATE FUNCTION "contact_of_deleted_to_comparison"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_to_compare (company_id, contact_id, change)
  SELECT c.company_id, c.id, pg_current_xact_id()::text::bigint FROM contact c WHERE c.company_id = OLD.company_id AND c.id = OLD.contact_id
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER "contact_comparison_of_new" AFTER INSERT ON "contact" FOR EACH ROW EXECUTE FUNCTION "contact_to_comparison"();
CREATE TRIGGER "contact_comparison_of_changed" AFTER UPDATE OF "name", "organisation_id", "external_id" ON "contact" FOR EACH ROW
  WHEN (OLD."name" IS DISTINCT FROM NEW."name" OR OLD."organisation_id" IS DISTINCT FROM NEW."organisation_id" OR OLD."external_id" IS DISTINCT FROM NEW."external_id")
  EXECUTE FUNCTION "contact_to_comparison"();
CREATE TRIGGER "contact_comparison_of_phones" AFTER INSERT ON "contact_phone" FOR EACH ROW EXECUTE FUNCTION "contact_of_part_to_comparison"();
CREATE TRIGGER "contact_comparison_of_moved_phones" AFTER UPDATE OF "contact_id" ON "contact_phone" FOR EACH ROW
  WHEN (OLD."contact_id" IS DISTINCT FROM NEW."contact_id") EXECUTE FUNCTION "contact_of_part_to_comparison"();
CREATE TRIGGER "contact_comparison_of_emails" AFTER INSERT ON "contact_email" FOR EACH ROW EXECUTE FUNCTION "contact_of_part_to_comparison"();
CREATE TRIGGER "contact_comparison_of_deleted_phones" AFTER DELETE ON "contact_phone" FOR EACH ROW EXECUTE FUNCTION "contact_of_deleted_to_comparison"();
CREATE TRIGGER "contact_comparison_of_deleted_emails" AFTER DELETE ON "contact_email" FOR EACH ROW EXECUTE FUNCTION "contact_of_deleted_to_comparison"();

-- Calls in figures.

-- A call of more than a day ago that changes in a figure has its day rolled up again, whoever changes it. Days are rolled up later than that, so that
-- calls under way are not looked at here. Of a company that is being removed nothing is kept.
CREATE FUNCTION "note_stale_call_day"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed timestamptz[] := CASE TG_OP WHEN 'INSERT' THEN ARRAY[NEW.created_at] WHEN 'DELETE' THEN ARRAY[OLD.created_at] ELSE ARRAY[OLD.created_at, NEW.created_at] END;
BEGIN
  INSERT INTO stale_call_day (company_id, at, change)
  SELECT DISTINCT c.id, date_bin('1 day', began, 'epoch'::timestamptz), pg_current_xact_id()::text::bigint
  FROM unnest(changed) began, company c WHERE c.id = CASE TG_OP WHEN 'DELETE' THEN OLD.company_id ELSE NEW.company_id END
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER "call_added_late" AFTER INSERT ON "call" FOR EACH ROW
  WHEN (NEW.created_at < now() - interval '1 day') EXECUTE FUNCTION "note_stale_call_day"();
CREATE TRIGGER "call_changed_late" AFTER UPDATE ON "call" FOR EACH ROW
  WHEN (least(OLD.created_at, NEW.created_at) < now() - interval '1 day' AND
    (OLD.created_at, OLD.agent_id, OLD.direction, OLD.state, OLD.end_reason, OLD.answered_at, OLD.ended_at, OLD.hold_ms, OLD.quality, OLD.disposition_code, OLD.disposition_label)
    IS DISTINCT FROM
    (NEW.created_at, NEW.agent_id, NEW.direction, NEW.state, NEW.end_reason, NEW.answered_at, NEW.ended_at, NEW.hold_ms, NEW.quality, NEW.disposition_code, NEW.disposition_label))
  EXECUTE FUNCTION "note_stale_call_day"();
CREATE TRIGGER "call_removed_late" AFTER DELETE ON "call" FOR EACH ROW
  WHEN (OLD.created_at < now() - interval '1 day') EXECUTE FUNCTION "note_stale_call_day"();
