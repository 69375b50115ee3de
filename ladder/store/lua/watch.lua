-- Somebody wants to see a match while it is played. KEYS: who watches it.
-- ARGV: time to live (ms), how many more than this one they want to see, life of a wish that stands before others (ms).
-- Of several wishes the one with the fewest before it counts, as long as it is renewed.
local read, before = pcall(redis.call, 'GET', KEYS[1])
before = read and before and tonumber(before)
if before and before < tonumber(ARGV[2]) and redis.call('PTTL', KEYS[1]) > tonumber(ARGV[3]) then return 'OK' end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[1])
return 'OK'
