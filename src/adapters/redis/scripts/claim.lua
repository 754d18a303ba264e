-- Takes one claimable agent to `reserved`: the named one, or the one idle longest.
-- The same change as `claim` in src/domain/agentStates.ts; the contract suite compares the two.
--
-- KEYS[1] idle       sorted set: claimable agents by idleSince
-- KEYS[2] deadlines  sorted set: agents by their next deadline
-- KEYS[3] fence      the epoch in which the company's keys were last known to be whole
-- ARGV[1] agentPrefix  what stands before an agent's id in the key of its hash. Those keys are not in KEYS because
--                      the script finds the agent; they share the hash tag of KEYS, so a cluster has them here.
-- ARGV[2] agentId      or '' for the agent idle longest
-- ARGV[3] claimId
-- ARGV[4] callId
-- ARGV[5] now          milliseconds
-- ARGV[6] expiresAt    milliseconds
-- ARGV[7] epoch        as the gateway knows it
--
-- Result: {'claimed', agentId, field, value, …} | {'none_ready'} | {'not_ready', agentId, field, value, …};
--         an agent without presence has no fields. {'unfenced'}: the keys may not be whole, nothing was done.

local idle, deadlines, fence = unpack(KEYS)
local agentPrefix, named, claimId, callId, now, expiresAt, epoch = unpack(ARGV)

if redis.call('GET', fence) ~= epoch then return {'unfenced'} end

local function isClaimable(key)
  local stored = redis.call('HMGET', key, 'state', 'connection')
  return stored[1] == 'ready' and stored[2] == 'connected'
end

local function outcome(kind, agentId, key)
  local result = redis.call('HGETALL', key)
  table.insert(result, 1, agentId)
  table.insert(result, 1, kind)
  return result
end

local function reserve(agentId, key)
  redis.call('HSET', key, 'state', 'reserved', 'since', now, 'claimId', claimId, 'callId', callId,
    'reservedFor', 'offer', 'expiresAt', expiresAt)
  redis.call('HDEL', key, 'reason', 'pendingState', 'pendingReason')
  redis.call('HINCRBY', key, 'version', 1)
  redis.call('ZREM', idle, agentId)
  redis.call('ZADD', deadlines, expiresAt, agentId)
  return outcome('claimed', agentId, key)
end

if named ~= '' then
  local key = agentPrefix .. named
  if isClaimable(key) then return reserve(named, key) end
  return outcome('not_ready', named, key)
end

while true do
  local agentId = redis.call('ZRANGE', idle, 0, 0)[1]
  if not agentId then return {'none_ready'} end
  local key = agentPrefix .. agentId
  if isClaimable(key) then return reserve(agentId, key) end
  -- Its hash was evicted or changed by hand: it must not block those behind it.
  redis.call('ZREM', idle, agentId)
end
