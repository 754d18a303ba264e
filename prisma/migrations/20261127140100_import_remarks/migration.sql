-- Rows with remarks are listed in their order, and few of many.
CREATE INDEX CONCURRENTLY "import_row_remarks_idx" ON "import_row"("company_id", "import_id", "row") WHERE "remarks" IS NOT NULL;
