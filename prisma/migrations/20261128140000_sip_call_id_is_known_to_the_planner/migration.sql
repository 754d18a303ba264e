-- Of a new column the planner knows nothing, and would look for the one call with a key among all calls, the latest first.
ANALYZE "call" ("sip_call_id");
