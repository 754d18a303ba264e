-- Of leases, in the words of other leases; claims are of agents.
ALTER TABLE "import" RENAME COLUMN "claim_id" TO "holder";
ALTER TABLE "crm_notice_queue" RENAME COLUMN "claim_id" TO "holder";
ALTER TABLE "crm_notice_queue" RENAME COLUMN "leased_until" TO "held_until";
