-- By hand, since schema.prisma cannot describe partial indexes: an agent is on one call of its softphone at a time, and once on
-- each call of a platform. Under the old name, which gateways of the version before know.
DROP INDEX "call_active_key";
ALTER INDEX "call_active_by_source_key" RENAME TO "call_active_key";
