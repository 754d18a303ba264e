-- It takes the place of the key without rounds, under its name.
DROP INDEX "call_active_key";
ALTER INDEX "call_active_by_round_key" RENAME TO "call_active_key";
