-- Brings back an agent's presence from the gateway that the agent is connected to, where the store has lost it or
-- holds an older one. Not fenced: it is what makes the keys whole again.
--
-- KEYS[1] agent      hash: the presence
-- KEYS[2] agents     set: all agents with a presence
-- KEYS[3] idle       sorted set: claimable agents by idleSince
-- KEYS[4] deadlines  sorted set: agents by their next deadline
-- KEYS[5] node       set: the agents who are connected to the gateway
-- ARGV[1] agentId
-- ARGV[2] knownVersion  what the gateway last knew; a stored version as high stays
-- ARGV[3] idleSince     milliseconds, or '' when the agent cannot be claimed
-- ARGV[4] deadline      milliseconds, or '' when nothing falls due
-- ARGV[5…] field, value, …  the whole presence, under a version that nobody can have seen
--
-- Result: 'restored' | 'kept'

local agent, agents, idle, deadlines, node = unpack(KEYS)
local agentId, knownVersion, idleSince, deadline = unpack(ARGV, 1, 4)

local function place(index, score)
  if score == '' then
    redis.call('ZREM', index, agentId)
  else
    redis.call('ZADD', index, score, agentId)
  end
end

local stored = redis.call('HGET', agent, 'version')
if stored and tonumber(stored) >= tonumber(knownVersion) then return 'kept' end

redis.call('DEL', agent)
redis.call('HSET', agent, unpack(ARGV, 5))
redis.call('SADD', agents, agentId)
redis.call('SADD', node, agentId)
place(idle, idleSince)
place(deadlines, deadline)
return 'restored'
