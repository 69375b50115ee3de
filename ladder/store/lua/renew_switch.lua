-- Puts a new generation in the place of a ladder, if it covers all that was applied. KEYS: builder, cfg, ladders to compute anew, voids, then the served
-- rating, games, log, stat, then those in the making. ARGV: builder, format, id of the last entry covered, number of voids covered.
-- Returns OK, generation | MOVED | LOST.
if redis.call('HGET', KEYS[2], 'builder') == ARGV[1] then return {'OK', redis.call('HGET', KEYS[2], 'generation')} end
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {'LOST'} end
local last = redis.call('XREVRANGE', KEYS[7], '+', '-', 'COUNT', 1)[1]
if not last or last[1] ~= ARGV[3] or redis.call('HLEN', KEYS[4]) ~= tonumber(ARGV[4]) then return {'MOVED'} end
for i = 5, 8 do
  redis.call('UNLINK', KEYS[i])
  if redis.call('EXISTS', KEYS[i + 4]) == 1 then
    redis.call('RENAME', KEYS[i + 4], KEYS[i])
    redis.call('PERSIST', KEYS[i])
  end
end
redis.call('HSET', KEYS[2], 'builder', ARGV[1])
local generation = redis.call('HINCRBY', KEYS[2], 'generation', 1)
redis.call('ZREM', KEYS[3], ARGV[2])
redis.call('DEL', KEYS[1])
return {'OK', tostring(generation)}
