-- Writes what the planner notes of a tournament, unless it moved on or other notes stand there by now.
-- KEYS: tournament. ARGV: state, notes that stand there, notes. Returns OK, or STALE.
local state, notes = unpack(redis.call('HMGET', KEYS[1], 'state', 'schedule'))
if notes == ARGV[3] then return 'OK' end
if state ~= ARGV[1] or (notes or '') ~= ARGV[2] then return 'STALE' end
redis.call('HSET', KEYS[1], 'schedule', ARGV[3])
return 'OK'
