-- By hand. Looks at every row that is there, and keeps nobody from writing.
ALTER TABLE "agent_state_change" VALIDATE CONSTRAINT "agent_state_change_company_id_agent_id_fkey";
ALTER TABLE "webhook_attempt" VALIDATE CONSTRAINT "webhook_attempt_company_id_delivery_id_fkey";
ALTER TABLE "call" VALIDATE CONSTRAINT "call_company_id_agent_id_fkey";
