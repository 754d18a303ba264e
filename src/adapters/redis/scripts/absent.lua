-- Tells whether an agent has no presence, and whether that can be relied on: both in one moment.
--
-- KEYS[1] agent  hash: the presence
-- KEYS[2] fence  the epoch in which the company's keys were last known to be whole
-- ARGV[1] epoch  as the gateway knows it
--
-- Result: 'absent' | 'present' | 'unfenced'

local agent, fence = unpack(KEYS)

if redis.call('GET', fence) ~= ARGV[1] then return 'unfenced' end
return redis.call('EXISTS', agent) == 1 and 'present' or 'absent'
