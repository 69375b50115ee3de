-- Gives a match back. KEYS: head, log, match, matches that I own, ready, states.
-- ARGV: old head, new head, entry id, bytes, id, not before, absent 1|0.
-- with fence
-- with move
local said = append(KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3], ARGV[4])
if said ~= 'OK' then return said end
if acts(ARGV[1]) > 0 then redis.call('HSET', KEYS[3], 'strikes', 0, 'releases', 0) end
if ARGV[7] == '1' then redis.call('HINCRBY', KEYS[3], 'releases', 1) end
redis.call('HSET', KEYS[3], 'owner', '')
redis.call('SREM', KEYS[4], ARGV[5])
move(KEYS[3], KEYS[6], 'ready')
redis.call('ZADD', KEYS[5], ARGV[6], ARGV[5])
return 'OK'
