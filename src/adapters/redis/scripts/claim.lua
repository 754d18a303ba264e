-- Takes one claimable agent to `reserved`: the named one, or the one idle longest, of all, of a group
-- or among those given.
-- The same change as `claim` in src/domain/agentStates.ts; the contract suite compares the two.
--
-- KEYS[1] idle       sorted set: claimable agents by idleSince
-- KEYS[2] deadlines  sorted set: agents by their next deadline
-- KEYS[3] guard      the generation in which the company's keys were last known to be whole
-- KEYS[4] groups     hash: of each agent the digests of its groups
-- KEYS[5] used       sorted set: groups by when claims named them
-- ARGV[1] agentPrefix  what stands before an agent's id in the key of its hash. Those keys are not in KEYS because
--                      the script finds the agent; they share the hash tag of KEYS, so a cluster has them here.
-- ARGV[2] claimId
-- ARGV[3] callId
-- ARGV[4] now          milliseconds
-- ARGV[5] expiresAt    milliseconds
-- ARGV[6] generation   as the gateway knows it
-- ARGV[7] agentId      or '' for the agent idle longest, 'group' for the one of a group,
--                      'among' for the one of those given
-- ARGV[8]              of a group its digest; else those given, one behind the other without anything between them
-- ARGV[9]              of a group how many are in it
-- ARGV[10]             of a group 'note' where it is to be noted that a claim named it; else ''
-- ARGV[11] except      of a group the few of it who are not to be taken, one behind the other
--
-- Result: {'claimed', agentId, field, value, …} with the fields as they were before | {'none_ready'} |
--         {'not_ready', agentId, field, value, …}; an agent without presence has no fields.
--         {'unguarded'}: the keys may not be whole | {'ungrouped'}: the group is to be made, maybe anew.
--         Nothing was done.

local idle, deadlines, guard, groups, used = unpack(KEYS)
local agentPrefix, claimId, callId, now, expiresAt, generation, named = unpack(ARGV, 1, 7)

if redis.call('GET', guard) ~= generation then return {'unguarded'} end

local function reserve(agentId)
  local key = agentPrefix .. agentId
  local fields = redis.call('HGETALL', key)
  local presence = {}
  for i = 1, #fields, 2 do presence[fields[i]] = fields[i + 1] end
  local dialsBy = presence.platformDialsBy
  local isClaimable = presence.state == 'ready' and dialsBy ~= 'nobody'
    and (presence.connection == 'connected' or dialsBy == 'platform')
  if isClaimable then
    redis.call('HSET', key, 'state', 'reserved', 'since', now, 'claimId', claimId, 'callId', callId,
      'reservedFor', 'offer', 'expiresAt', expiresAt, 'version', presence.version + 1)
    if presence.reason or presence.pendingState then
      redis.call('HDEL', key, 'reason', 'pendingState', 'pendingReason')
    end
    placeIdle(idle, groups, agentId, '')
    redis.call('ZADD', deadlines, expiresAt, agentId)
  end
  return isClaimable, {isClaimable and 'claimed' or 'not_ready', agentId, unpack(fields)}
end

-- The one idle longest of those given, as a sorted set orders them; nil: none of them is idle.
local function longestIdleAmong(given)
  local chosen, since
  for agentIds in inBatches(given) do
    for at, score in ipairs(redis.call('ZMSCORE', idle, unpack(agentIds))) do
      local agentId, idleSince = agentIds[at], score and tonumber(score)
      if idleSince and (not since or idleSince < since or (idleSince == since and agentId < chosen)) then
        chosen, since = agentId, idleSince
      end
    end
  end
  return chosen
end

if named ~= '' and named ~= 'group' and named ~= 'among' then
  local _, result = reserve(named)
  return result
end

local isGroup, digest = named == 'group', ARGV[8]
local order = isGroup and idle .. ':' .. digest or idle
local except = ARGV[11] or ''

local function longestIdle()
  for _, agentId in ipairs(redis.call('ZRANGE', order, 0, #except / idLength)) do
    if not string.find(except, agentId, 1, true) then return agentId end
  end
  return nil
end

-- Whether a group is there, and all of it who are idle have their place in its order: else a gateway of before groups
-- made somebody Ready, or a key was evicted. Where nobody at all is idle it is made when somebody is.
local function isWhole()
  if redis.call('EXISTS', idle) == 0 then return true end
  local members = groups .. ':' .. digest
  local placed = redis.call('ZINTERCARD', 2, order, idle)
  return redis.call('SCARD', members) == tonumber(ARGV[9])
    and redis.call('ZINTERCARD', 2, idle, members, 'LIMIT', placed + 1) == placed
end

-- Asked where nobody is to be taken, so that nobody is passed over, and now and then,
-- so that nobody waits behind the others for long.
local isAsked = ARGV[10] == 'note'
while true do
  local agentId
  if named == 'among' then agentId = longestIdleAmong(ARGV[8]) else agentId = longestIdle() end
  if isGroup and (isAsked or not agentId) and not isWhole() then return {'ungrouped'} end
  if not agentId then return {'none_ready'} end
  isAsked = false
  local isClaimed, result = reserve(agentId)
  if isClaimed then
    if ARGV[10] == 'note' then redis.call('ZADD', used, now, digest) end
    return result
  end
  -- Its hash was evicted or changed by hand: it must not block those behind it.
  redis.call('ZREM', order, agentId)
  placeIdle(idle, groups, agentId, '')
end
