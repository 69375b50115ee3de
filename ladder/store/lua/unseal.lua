-- The last table of a deal group is over. KEYS: due, lost ones of the tournament that wait, what referees are to show, then matches of the group.
-- ARGV: their ids. Returns those that are due only now: closed ones to be applied, void ones to be put away.
local woken = {}
for i, id in ipairs(ARGV) do
  local read, found = pcall(redis.call, 'HMGET', KEYS[i + 3], 'state', 'ended_ms')
  local state, ended = read and found[1], read and tonumber(found[2]) or 0
  if state then
    redis.call('HSET', KEYS[i + 3], 'opened', 1)
    redis.call('SADD', KEYS[3], 'm:' .. id)
  end
  local waited = redis.call('SREM', KEYS[2], id) == 1
  if (state == 'closed' or (state == 'void' and waited)) and redis.call('ZADD', KEYS[1], 'NX', ended, 'rate:' .. id) == 1 then woken[#woken + 1] = id end
end
return woken
