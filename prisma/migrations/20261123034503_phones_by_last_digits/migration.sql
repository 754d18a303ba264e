-- The digits from the last to the first: a number is found by the last ones that somebody has noted.
CREATE INDEX CONCURRENTLY "contact_phone_reversed_idx" ON "contact_phone"("company_id", (reverse("phone")) COLLATE "C");
