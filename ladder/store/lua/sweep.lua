-- Forgets referees that are gone and own nothing, and who was connected to them. KEYS: referees, presence.
-- ARGV: prefix of beats, prefix of owned.
for _, me in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  if redis.call('EXISTS', ARGV[1] .. me) == 0 and redis.call('EXISTS', ARGV[2] .. me) == 0 then
    redis.call('SREM', KEYS[1], me)
  end
end
local swept = 0
for _, field in ipairs(redis.call('HKEYS', KEYS[2])) do
  if redis.call('EXISTS', ARGV[1] .. string.match(field, '^(.*)/')) == 0 then
    swept = swept + redis.call('HDEL', KEYS[2], field)
  end
end
return swept
