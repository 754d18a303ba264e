-- It takes the place of the key without rounds, under its name.
DROP INDEX "call_platform_key";
ALTER INDEX "call_platform_round_key" RENAME TO "call_platform_key";
