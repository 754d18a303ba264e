-- Under the name of before, by which gateways know that an agent has a call already.
DROP INDEX "call_active_key";
ALTER INDEX "call_under_way_key" RENAME TO "call_active_key";
