-- Takes one claimable agent to `reserved`: the named one, or the one idle longest, of all or among those given.
-- The same change as `claim` in src/domain/agentStates.ts; the contract suite compares the two.
--
-- KEYS[1] idle       sorted set: claimable agents by idleSince
-- KEYS[2] deadlines  sorted set: agents by their next deadline
-- KEYS[3] guard      the generation in which the company's keys were last known to be whole
-- ARGV[1] agentPrefix  what stands before an agent's id in the key of its hash. Those keys are not in KEYS because
--                      the script finds the agent; they share the hash tag of KEYS, so a cluster has them here.
-- ARGV[2] claimId
-- ARGV[3] callId
-- ARGV[4] now          milliseconds
-- ARGV[5] expiresAt    milliseconds
-- ARGV[6] generation   as the gateway knows it
-- ARGV[7] agentId      or '' for the agent idle longest, or 'among' for the one idle longest of
-- ARGV[8] agentIds     those, one behind the other without anything between them
--
-- Result: {'claimed', agentId, field, value, …} with the fields as they were before | {'none_ready'} |
--         {'not_ready', agentId, field, value, …}; an agent without presence has no fields.
--         {'unguarded'}: the keys may not be whole, nothing was done.

local idle, deadlines, guard = unpack(KEYS)
local agentPrefix, claimId, callId, now, expiresAt, generation, named = unpack(ARGV, 1, 7)

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

-- Letters of an id, and how many scores are asked for in one command; far fewer than Lua can unpack.
local idLength, batchSize = 36, 1000

-- The one idle longest of those given, as a sorted set orders them; nil: none of them is idle.
local function longestIdleAmong()
  local given, chosen, since = ARGV[8], nil, nil
  for start = 1, #given, batchSize * idLength do
    local agentIds = {}
    for first = start, math.min(start + (batchSize - 1) * idLength, #given), idLength do
      agentIds[#agentIds + 1] = string.sub(given, first, first + idLength - 1)
    end
    for place, score in ipairs(redis.call('ZMSCORE', idle, unpack(agentIds))) do
      local agentId, idleSince = agentIds[place], score and tonumber(score)
      if idleSince and (not since or idleSince < since or (idleSince == since and agentId < chosen)) then
        chosen, since = agentId, idleSince
      end
    end
  end
  return chosen
end

if named ~= '' and named ~= 'among' then
  local _, result = reserve(named)
  return result
end

while true do
  local agentId
  if named == 'among' then agentId = longestIdleAmong() else agentId = redis.call('ZRANGE', idle, 0, 0)[1] end
  if not agentId then return {'none_ready'} end
  local isClaimed, result = reserve(agentId)
  if isClaimed then return result end
  -- Its hash was evicted or changed by hand: it must not block those behind it.
  redis.call('ZREM', idle, agentId)
end
