-- AlterTable
ALTER TABLE "call_quarter" ADD COLUMN     "mos_median_sum" DOUBLE PRECISION,
ADD COLUMN     "mos_worst" DOUBLE PRECISION;

-- AlterTable
ALTER TABLE "call_day" ADD COLUMN     "mos_median_sum" DOUBLE PRECISION,
ADD COLUMN     "mos_worst" DOUBLE PRECISION;
