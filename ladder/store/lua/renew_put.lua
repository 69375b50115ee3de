-- Writes to a part in the making. KEYS: its builder, part, then all parts. ARGV: builder, seconds to live, log|hash|zset,
-- then for a log: id, number of words, words, …; else the words of one HSET or ZADD.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 'LOST' end
if ARGV[3] == 'log' then
  local at = 4
  while at <= #ARGV do
    local words = tonumber(ARGV[at + 1])
    -- a lost reply makes the client send the same entries again
    if #redis.call('XRANGE', KEYS[2], ARGV[at], ARGV[at]) == 0 then
      redis.call('XADD', KEYS[2], ARGV[at], unpack(ARGV, at + 2, at + 1 + words))
    end
    at = at + 2 + words
  end
elseif #ARGV > 3 then
  redis.call(ARGV[3] == 'hash' and 'HSET' or 'ZADD', KEYS[2], unpack(ARGV, 4))
end
-- all of them live as long as their builder: the switch would put nothing in the place of a part that went before
for i = 1, #KEYS do redis.call('EXPIRE', KEYS[i], ARGV[2]) end
return 'OK'
