-- AlterTable
ALTER TABLE "call" ADD COLUMN     "held_at" TIMESTAMPTZ(3),
ADD COLUMN     "hold_ms" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "quality" JSONB;
