-- Lets a tournament go on that ended with parked matches: as long as it has one, the seed of its deals is secret. Returns whether it was so.
local function reopened(tournament, open_ones, to)
  local state, withheld, parked, name, created = unpack(redis.call('HMGET', tournament, 'state', 'withheld', 'parked', 'name', 'created_ms'))
  if state ~= 'finished' or withheld ~= '1' or (tonumber(parked) or 0) < 1 then return false end
  redis.call('HSET', tournament, 'state', to, 'moved', '', 'ended_ms', 0, 'reason', '')
  redis.call('ZADD', open_ones, tonumber(created) or 0, name)
  return true
end
