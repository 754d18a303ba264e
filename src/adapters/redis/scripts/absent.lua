-- Tells whether an agent has no presence, and whether that can be relied on: both in one moment.
--
-- KEYS[1] agent  hash: the presence
-- KEYS[2] guard  the generation in which the company's keys were last known to be whole
-- ARGV[1] generation  as the gateway knows it
--
-- Result: 'absent' | 'present' | 'unguarded'

local agent, guard = unpack(KEYS)

if redis.call('GET', guard) ~= ARGV[1] then return 'unguarded' end
return redis.call('EXISTS', agent) == 1 and 'present' or 'absent'
