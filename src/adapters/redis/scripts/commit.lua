-- Writes an agent's presence if its version is still the expected one; keeps the company's indexes in step.
--
-- KEYS[1] agent      hash: the presence
-- KEYS[2] agents     set: all agents with a presence
-- KEYS[3] idle       sorted set: claimable agents by idleSince
-- KEYS[4] deadlines  sorted set: agents by their next deadline
-- KEYS[5] guard      the generation in which the company's keys were last known to be whole
-- KEYS[6] groups     hash: of each agent the digests of its groups
-- ARGV[1] agentId
-- ARGV[2] expectedVersion  0: nothing is stored
-- ARGV[3] idleSince        milliseconds, or '' when the agent cannot be claimed
-- ARGV[4] deadline         milliseconds, or '' when nothing falls due
-- ARGV[5] nodePrefix       what stands before a gateway's id in the key of the set of its agents; same hash tag
-- ARGV[6] nodeId           the gateway that the agent is connected to, or ''
-- ARGV[7] generation            as the gateway knows it
-- ARGV[8…] field, value, …  the whole presence; nothing: forget the agent
--
-- Result: 'committed' | 'conflict' | 'unguarded' (the keys may not be whole, nothing was done)

local agent, agents, idle, deadlines, guard, groups = unpack(KEYS)
local agentId, expectedVersion, idleSince, deadline, nodePrefix, nodeId, generation = unpack(ARGV, 1, 7)

if redis.call('GET', guard) ~= generation then return 'unguarded' end
local stored = redis.call('HMGET', agent, 'version', 'nodeId')
if (stored[1] or '0') ~= expectedVersion then return 'conflict' end

if stored[2] and stored[2] ~= nodeId then redis.call('SREM', nodePrefix .. stored[2], agentId) end
if nodeId ~= '' then redis.call('SADD', nodePrefix .. nodeId, agentId) end
redis.call('DEL', agent)
if #ARGV > 7 then
  redis.call('HSET', agent, unpack(ARGV, 8))
  redis.call('SADD', agents, agentId)
else
  redis.call('SREM', agents, agentId)
end
placeIdle(idle, groups, agentId, idleSince)
place(deadlines, agentId, deadline)
return 'committed'
