-- How many rows a batch has is told without reading the cells of those that it has no room for.
ALTER TABLE "import_row" ADD COLUMN "size" INTEGER;
