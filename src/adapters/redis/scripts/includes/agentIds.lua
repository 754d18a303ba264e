-- The ids of a text that holds one behind the other without anything between them,
-- in batches far smaller than what Lua can unpack.

local idLength, batchSize = 36, 1000

local function inBatches(given)
  local start = 1 - batchSize * idLength
  return function()
    start = start + batchSize * idLength
    if start > #given then return nil end
    local agentIds = {}
    for first = start, math.min(start + (batchSize - 1) * idLength, #given), idLength do
      agentIds[#agentIds + 1] = string.sub(given, first, first + idLength - 1)
    end
    return agentIds
  end
end

