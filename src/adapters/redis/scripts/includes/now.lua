-- The server's time in whole milliseconds.

local function serverTime()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

