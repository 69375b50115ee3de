-- Ends a tournament whose row cannot be read: what is given stands in the place of what could not be.
-- KEYS: tournament, open ones, its open matches, due, its lost matches that wait, what referees are to show.
-- ARGV: name, state, prefix of matches, number of fields to forget, these, then fields and values.
-- Returns OK, or UNKNOWN.
local tournament = KEYS[1]
if redis.call('EXISTS', tournament) == 0 then return 'UNKNOWN' end
if redis.call('TYPE', tournament).ok ~= 'hash' then redis.call('DEL', tournament) end
local forgotten = tonumber(ARGV[4])
for i = 5, 4 + forgotten do redis.call('HDEL', tournament, ARGV[i]) end
redis.call('HSET', tournament, 'state', ARGV[2], unpack(ARGV, 5 + forgotten))
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('SADD', KEYS[6], 't:' .. ARGV[1])
for _, id in ipairs(redis.call('SUNION', KEYS[3], KEYS[5])) do -- as any that ends: its tables seal nothing any more
  local read, match = pcall(redis.call, 'HMGET', ARGV[3] .. id, 'state', 'ended_ms')
  if read and (match[1] == 'closed' or match[1] == 'void' or match[1] == 'parked') then
    redis.call('ZADD', KEYS[4], 'NX', tonumber(match[2]) or 0, 'rate:' .. id)
  end
end
return 'OK'
