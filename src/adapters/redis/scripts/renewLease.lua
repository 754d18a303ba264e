-- Renews a gateway's lease by the server's clock and tells how all gateways stand.
--
-- KEYS[1] leases    sorted set: gateways by the end of their lease
-- KEYS[2] restored  hash: the generation for which each gateway has brought back what it knows
-- ARGV[1] nodeId
-- ARGV[2] leaseMs
-- ARGV[3] generation     for which this gateway has brought back what it knows
--
-- Result: {'held' | 'lapsed', nodeId, milliseconds left (not above 0: lapsed), generation or '', nodeId, …};
--         'lapsed': this gateway had no lease, so others may have released its agents

local leases, restored = unpack(KEYS)
local nodeId, leaseMs, generation = unpack(ARGV)

local now = serverTime()
local ends = redis.call('ZSCORE', leases, nodeId)
redis.call('ZADD', leases, now + leaseMs, nodeId)
redis.call('HSET', restored, nodeId, generation)

local result = {ends and tonumber(ends) > now and 'held' or 'lapsed'}
local all = redis.call('ZRANGE', leases, 0, -1, 'WITHSCORES')
for i = 1, #all, 2 do
  local left = tonumber(all[i + 1]) - now
  if left > tonumber(leaseMs) then
    -- The clock has gone back: nobody lives longer for that.
    left = tonumber(leaseMs)
    redis.call('ZADD', leases, now + left, all[i])
  end
  result[#result + 1] = all[i]
  result[#result + 1] = string.format('%d', left)
  result[#result + 1] = redis.call('HGET', restored, all[i]) or ''
end
return result
