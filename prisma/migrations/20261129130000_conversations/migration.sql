ALTER TABLE "call_quarter" ADD COLUMN     "conversations" INTEGER;

ALTER TABLE "call_day" ADD COLUMN     "conversations" INTEGER;
