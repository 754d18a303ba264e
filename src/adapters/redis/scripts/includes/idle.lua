-- Gives an agent its place in the company's idle order and in those of its groups (see groups.ts), or none where
-- the score is ''. Needs `place`.

-- Letters of a group's digest.
local digestLength = 22

local function placeIdle(idle, groups, agentId, score)
  place(idle, agentId, score)
  local digests = redis.call('HGET', groups, agentId)
  for first = 1, digests and #digests or 0, digestLength do
    place(idle .. ':' .. string.sub(digests, first, first + digestLength - 1), agentId, score)
  end
end

