-- Brings back an agent's presence from the gateway that the agent is connected to, where the store has lost it or
-- holds an older one. Not guarded: it is what makes the keys whole again.
--
-- KEYS[1] agent      hash: the presence
-- KEYS[2] agents     set: all agents with a presence
-- KEYS[3] idle       sorted set: claimable agents by idleSince
-- KEYS[4] deadlines  sorted set: agents by their next deadline
-- KEYS[5] node       set: the agents who are connected to the gateway
-- KEYS[6] groups     hash: of each agent the digests of its groups
-- ARGV[1] agentId
-- ARGV[2] lease         of the session that the gateway knows
-- ARGV[3] openedAt      when that session was opened or resumed; milliseconds
-- ARGV[4] knownVersion  what the gateway last knew; a stored version of that session that is as high stays
-- ARGV[5] idleSince     milliseconds, or '' when the agent cannot be claimed
-- ARGV[6] deadline      milliseconds, or '' when nothing falls due
-- ARGV[7…] field, value, …  the whole presence, under a version that nobody can have seen
--
-- Result: 'restored' | 'kept'

local agent, agents, idle, deadlines, node, groups = unpack(KEYS)
local agentId, lease, openedAt, knownVersion, idleSince, deadline = unpack(ARGV, 1, 6)

local version, owner, connectionSince = unpack(redis.call('HMGET', agent, 'version', 'lease', 'connectionSince'))
if version and owner == lease and tonumber(version) >= tonumber(knownVersion) then return 'kept' end
-- Two gateways may know the agent: one that has not heard that the softphone is elsewhere by now.
if owner and owner ~= lease and tonumber(connectionSince) >= tonumber(openedAt) then return 'kept' end

redis.call('DEL', agent)
redis.call('HSET', agent, unpack(ARGV, 7))
redis.call('SADD', agents, agentId)
redis.call('SADD', node, agentId)
placeIdle(idle, groups, agentId, idleSince)
place(deadlines, agentId, deadline)
return 'restored'
