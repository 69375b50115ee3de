-- Void matches of releases that put none of them away are due for that, each match once. One that is open is looked at when it is
-- over, with all behind it: a referee of such a release may still make it void.
-- KEYS: index, states, due. ARGV: prefix of matches, how many to look at, now. Returns how many are due.
local last = tonumber(redis.call('HGET', KEYS[2], '#looked') or '0') or 0
local found = redis.call('ZRANGE', KEYS[1], '(' .. last, '+inf', 'BYSCORE', 'LIMIT', 0, ARGV[2], 'WITHSCORES')
local due = 0
local before = last
for i = 1, #found, 2 do
  local read, match = pcall(redis.call, 'HMGET', ARGV[1] .. found[i], 'state', 'dropped')
  local state = read and match[1]
  if state == 'planned' or state == 'ready' or state == 'running' or state == 'closed' then break end
  if state == 'void' and not match[2] then
    due = due + redis.call('ZADD', KEYS[3], 'NX', ARGV[3], 'rate:' .. found[i])
  end
  last = found[i + 1]
end
if last ~= before then redis.call('HSET', KEYS[2], '#looked', last) end
return due
