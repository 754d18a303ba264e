-- AlterTable
ALTER TABLE "call" ADD COLUMN     "platform_ended_at" TIMESTAMPTZ(3),
ADD COLUMN     "platform_rang_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "heard_call" ADD COLUMN     "ended_at" TIMESTAMPTZ(3);
