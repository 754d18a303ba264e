-- Takes one claimable agent to `reserved`: the named one, or the one idle longest.
-- The same change as `claim` in src/domain/agentStates.ts; the contract suite compares the two.
--
-- KEYS[1] idle       sorted set: claimable agents by idleSince
-- KEYS[2] deadlines  sorted set: agents by their next deadline
-- KEYS[3] guard      the generation in which the company's keys were last known to be whole
-- ARGV[1] agentPrefix  what stands before an agent's id in the key of its hash. Those keys are not in KEYS because
--                      the script finds the agent; they share the hash tag of KEYS, so a cluster has them here.
-- ARGV[2] agentId      or '' for the agent idle longest
-- ARGV[3] claimId
-- ARGV[4] callId
-- ARGV[5] now          milliseconds
-- ARGV[6] expiresAt    milliseconds
-- ARGV[7] generation        as the gateway knows it
--
-- Result: {'claimed', agentId, field, value, …} with the fields as they were before | {'none_ready'} |
--         {'not_ready', agentId, field, value, …}; an agent without presence has no fields.
--         {'unguarded'}: the keys may not be whole, nothing was done.

local idle, deadlines, guard = unpack(KEYS)
local agentPrefix, named, claimId, callId, now, expiresAt, generation = unpack(ARGV)

if redis.call('GET', guard) ~= generation then return {'unguarded'} end

-- What the presence has in these fields, of all that it has.
local function lookFor(fields, ...)
  local found = {}
  for i = 1, #fields, 2 do
    for place, name in ipairs({...}) do
      if fields[i] == name then found[place] = fields[i + 1] end
    end
  end
  return unpack(found, 1, select('#', ...))
end

local function reserve(agentId)
  local key = agentPrefix .. agentId
  local fields = redis.call('HGETALL', key)
  local state, connection, version, reason, pending, dialsBy =
    lookFor(fields, 'state', 'connection', 'version', 'reason', 'pendingState', 'platformDialsBy')
  local isClaimable = state == 'ready' and dialsBy ~= 'nobody' and (connection == 'connected' or dialsBy == 'platform')
  if isClaimable then
    redis.call('HSET', key, 'state', 'reserved', 'since', now, 'claimId', claimId, 'callId', callId,
      'reservedFor', 'offer', 'expiresAt', expiresAt, 'version', version + 1)
    if reason or pending then redis.call('HDEL', key, 'reason', 'pendingState', 'pendingReason') end
    redis.call('ZREM', idle, agentId)
    redis.call('ZADD', deadlines, expiresAt, agentId)
  end
  return isClaimable, {isClaimable and 'claimed' or 'not_ready', agentId, unpack(fields)}
end

if named ~= '' then
  local _, result = reserve(named)
  return result
end

while true do
  local agentId = redis.call('ZRANGE', idle, 0, 0)[1]
  if not agentId then return {'none_ready'} end
  local isClaimed, result = reserve(agentId)
  if isClaimed then return result end
  -- Its hash was evicted or changed by hand: it must not block those behind it.
  redis.call('ZREM', idle, agentId)
end
