-- Moves the cursor of the planner. KEYS: tournament. ARGV: old, new. Returns 1 if it stands at new.
local cursor = redis.call('HGET', KEYS[1], 'cursor') or '0'
if cursor == ARGV[2] then return 1 end
if cursor ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'cursor', ARGV[2])
return 1
