-- Forgets a group: its idle order is kept no more. Needs `digestLength`.

local function dropGroup(idle, groups, used, digest)
  local cursor, members = '0', groups .. ':' .. digest
  repeat
    local scanned = redis.call('SSCAN', members, cursor, 'COUNT', 500)
    cursor = scanned[1]
    for _, agentId in ipairs(scanned[2]) do
      local digests, kept = redis.call('HGET', groups, agentId) or '', ''
      for first = 1, #digests, digestLength do
        local one = string.sub(digests, first, first + digestLength - 1)
        if one ~= digest then kept = kept .. one end
      end
      if kept == '' then redis.call('HDEL', groups, agentId) else redis.call('HSET', groups, agentId, kept) end
    end
  until cursor == '0'
  redis.call('DEL', members, idle .. ':' .. digest)
  redis.call('ZREM', used, digest)
end

