-- Writes an agent's presence if its version is still the expected one; keeps the company's indexes in step.
--
-- KEYS[1] agent      hash: the presence
-- KEYS[2] agents     set: all agents with a presence
-- KEYS[3] idle       sorted set: claimable agents by idleSince
-- KEYS[4] deadlines  sorted set: agents by their next deadline
-- ARGV[1] agentId
-- ARGV[2] expectedVersion  0: nothing is stored
-- ARGV[3] idleSince        milliseconds, or '' when the agent cannot be claimed
-- ARGV[4] deadline         milliseconds, or '' when nothing falls due
-- ARGV[5…] field, value, …  the whole presence; nothing: forget the agent
--
-- Result: 'committed' | 'conflict'

local agent, agents, idle, deadlines = unpack(KEYS)
local agentId, expectedVersion, idleSince, deadline = unpack(ARGV, 1, 4)

local function place(index, score)
  if score == '' then
    redis.call('ZREM', index, agentId)
  else
    redis.call('ZADD', index, score, agentId)
  end
end

if (redis.call('HGET', agent, 'version') or '0') ~= expectedVersion then return 'conflict' end

redis.call('DEL', agent)
if #ARGV > 4 then
  redis.call('HSET', agent, unpack(ARGV, 5))
  redis.call('SADD', agents, agentId)
else
  redis.call('SREM', agents, agentId)
end
place(idle, idleSince)
place(deadlines, deadline)
return 'committed'
