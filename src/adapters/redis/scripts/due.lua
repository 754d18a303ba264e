-- Tells which of a company's agents have a deadline that has passed, the longest overdue first.
-- Forgets agents whose hash is missing (evicted, or deleted by hand): nothing could ever change their deadline.
-- Drops a group that no claim has named for long, and all of them where no agent is left.
--
-- KEYS[1] agents     set: all agents with a presence
-- KEYS[2] idle       sorted set: claimable agents by idleSince
-- KEYS[3] deadlines  sorted set: agents by their next deadline
-- KEYS[4] groups     hash: of each agent the digests of its groups
-- KEYS[5] used       sorted set: groups by when claims named them
-- ARGV[1] agentPrefix  what stands before an agent's id in the key of its hash; same hash tag as KEYS
-- ARGV[2] now          milliseconds
-- ARGV[3] limit
-- ARGV[4] groupUnusedMs  after this time without a claim a group is dropped
--
-- Result: {'live' | 'empty', the earliest deadline or '', agentId, deadline, …}; empty: no agent has a presence

local agents, idle, deadlines, groups, used = unpack(KEYS)
local agentPrefix, now, limit, groupUnusedMs = unpack(ARGV)

local overdue = redis.call('ZRANGE', deadlines, '-inf', now, 'BYSCORE', 'LIMIT', 0, limit, 'WITHSCORES')
local result = {}
for i = 1, #overdue, 2 do
  local agentId = overdue[i]
  if redis.call('EXISTS', agentPrefix .. agentId) == 1 then
    result[#result + 1] = agentId
    result[#result + 1] = overdue[i + 1]
  else
    redis.call('SREM', agents, agentId)
    placeIdle(idle, groups, agentId, '')
    redis.call('ZREM', deadlines, agentId)
  end
end
local isLive = redis.call('EXISTS', agents) == 1
local unused = isLive and redis.call('ZRANGE', used, '-inf', now - groupUnusedMs, 'BYSCORE', 'LIMIT', 0, 1)
  or redis.call('ZRANGE', used, 0, -1)
for _, digest in ipairs(unused) do dropGroup(idle, groups, used, digest) end
table.insert(result, 1, redis.call('ZRANGE', deadlines, 0, 0, 'WITHSCORES')[2] or '')
table.insert(result, 1, isLive and 'live' or 'empty')
return result
