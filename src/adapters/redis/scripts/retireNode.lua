-- Strikes a gateway off the list, unless its lease was renewed meanwhile.
--
-- KEYS[1] leases    sorted set: gateways by the end of their lease
-- KEYS[2] restored  hash: the epoch for which each gateway has brought back what it knows
-- ARGV[1] nodeId
-- ARGV[2] 'lapsed': only if its lease has lapsed | 'always': it leaves by itself
--
-- Result: 'retired' | 'kept'

local leases, restored = unpack(KEYS)
local nodeId, when = unpack(ARGV)

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ends = redis.call('ZSCORE', leases, nodeId)
if when == 'lapsed' and ends and tonumber(ends) > now then return 'kept' end
redis.call('ZREM', leases, nodeId)
redis.call('HDEL', restored, nodeId)
return 'retired'
