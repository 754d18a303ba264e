-- Makes a group of agents (see groups.ts): from now on its idle order is kept beside the company's.
-- Makes it anew where it is there already.
--
-- KEYS[1] idle    sorted set: claimable agents by idleSince
-- KEYS[2] groups  hash: of each agent the digests of its groups
-- KEYS[3] used    sorted set: groups by when claims named them
-- KEYS[4] guard   the generation in which the company's keys were last known to be whole
-- ARGV[1] digest
-- ARGV[2] agentIds    one behind the other without anything between them
-- ARGV[3] now         milliseconds
-- ARGV[4] generation  as the gateway knows it
-- ARGV[5] most        groups that a company has at most; those that were named longest ago are dropped
--
-- Result: 'grouped' | 'unguarded' (the keys may not be whole, nothing was done)

local idle, groups, used, guard = unpack(KEYS)
local digest, given, now, generation, most = unpack(ARGV)

if redis.call('GET', guard) ~= generation then return 'unguarded' end

local members = groups .. ':' .. digest
redis.call('DEL', members)
for agentIds in inBatches(given) do
  redis.call('SADD', members, unpack(agentIds))
  local changed = {}
  for at, digests in ipairs(redis.call('HMGET', groups, unpack(agentIds))) do
    if not string.find(digests or '', digest, 1, true) then
      changed[#changed + 1] = agentIds[at]
      changed[#changed + 1] = (digests or '') .. digest
    end
  end
  if #changed > 0 then redis.call('HSET', groups, unpack(changed)) end
end
redis.call('ZINTERSTORE', idle .. ':' .. digest, 2, idle, members, 'WEIGHTS', 1, 0)
redis.call('ZADD', used, now, digest)
for _, oldest in ipairs(redis.call('ZRANGE', used, 0, -1 - most)) do dropGroup(idle, groups, used, oldest) end
return 'grouped'
