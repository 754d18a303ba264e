-- Takes a place among those of a sliding window, by the server's clock.
--
-- KEYS[1] places  list: when each of the last places was taken, the newest first
-- ARGV[1] perMs   the length of the window
-- ARGV[2] below   a place is taken only where fewer than this are taken in the window
-- ARGV[3] count   how many places are remembered
--
-- Result: 0, or in how many milliseconds there may be room

local places = KEYS[1]
local perMs, below, count = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local last = redis.call('LINDEX', places, below - 1)
if last and now - last <= perMs then
  -- No longer than that, also where the clock has gone back.
  return math.min(last + perMs + 1 - now, perMs + 1)
end
redis.call('LPUSH', places, string.format('%d', now))
redis.call('LTRIM', places, 0, count - 1)
redis.call('PEXPIRE', places, perMs + 1000)
return 0
