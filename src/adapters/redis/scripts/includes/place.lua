-- Gives an agent its place in a sorted set, or none where the score is ''.

local function place(index, agentId, score)
  if score == '' then
    redis.call('ZREM', index, agentId)
  else
    redis.call('ZADD', index, score, agentId)
  end
end

