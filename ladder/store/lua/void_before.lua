-- Void matches of releases that put none of them away are due for that, each match once.
-- KEYS: index, states, due. ARGV: prefix of matches, how many to look at, now. Returns how many are due.
local last = tonumber(redis.call('HGET', KEYS[2], '#looked') or '0') or 0
local found = redis.call('ZRANGE', KEYS[1], '(' .. last, '+inf', 'BYSCORE', 'LIMIT', 0, ARGV[2], 'WITHSCORES')
local due = 0
for i = 1, #found, 2 do
  local read, match = pcall(redis.call, 'HMGET', ARGV[1] .. found[i], 'state', 'dropped')
  if read and match[1] == 'void' and not match[2] then
    due = due + redis.call('ZADD', KEYS[3], 'NX', ARGV[3], 'rate:' .. found[i])
  end
  last = found[i + 1]
end
if #found > 0 then redis.call('HSET', KEYS[2], '#looked', last) end
return due
