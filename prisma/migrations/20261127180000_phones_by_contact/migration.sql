-- The key of a number that several contacts share (docs/decisions/0076), built beside those who write.
CREATE UNIQUE INDEX CONCURRENTLY "contact_phone_of_contact_key" ON "contact_phone"("company_id", "phone", "contact_id");
