-- Keeps a time, where none that is later is kept.
--
-- KEYS[1] kept    the time that is kept
-- ARGV[1] until   milliseconds since the epoch
-- ARGV[2] forMs   how long it is kept

local kept = tonumber(redis.call('GET', KEYS[1]))
if kept == nil or kept < tonumber(ARGV[1]) then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
return 0
