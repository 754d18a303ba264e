-- Where the customer's record of a call is opened, for lists; the whole screen pop may be large.
-- AlterTable
ALTER TABLE "call" ADD COLUMN     "record_system" TEXT,
ADD COLUMN     "record_url" TEXT;
