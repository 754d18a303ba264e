-- Most rows of a file had ten keys, of which six follow from the others.
ALTER TABLE "import_key" ADD COLUMN "also" TEXT NOT NULL DEFAULT '';
