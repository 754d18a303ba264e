-- Strikes a gateway off the list, unless its lease was renewed meanwhile.
--
-- KEYS[1] leases     sorted set: gateways by the end of their lease
-- KEYS[2] restored   hash: the generation for which each gateway has brought back what it knows
-- KEYS[3] companies  set: the companies whose agents are, or were, connected to the gateway
-- ARGV[1] nodeId
--
-- Result: 'retired' | 'kept'

local leases, restored, companies = unpack(KEYS)
local nodeId = ARGV[1]

local now = serverTime()
local ends = redis.call('ZSCORE', leases, nodeId)
if ends and tonumber(ends) > now then return 'kept' end
redis.call('ZREM', leases, nodeId)
redis.call('HDEL', restored, nodeId)
redis.call('DEL', companies)
return 'retired'
