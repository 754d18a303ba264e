-- Tells the time of the server that holds a key, so that in a cluster all gateways ask the same one.
--
-- KEYS[1] companies  names the server; not read
--
-- Result: {seconds since the epoch, microseconds of that second}

return redis.call('TIME')
