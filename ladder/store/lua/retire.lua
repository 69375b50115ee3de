-- Takes a bot out of play, which leaves its place on the ladders, or back into it. KEYS: bot. ARGV: since (ms), 0: plays.
-- Returns OK, SAME where it is so already, or UNKNOWN.
if redis.call('EXISTS', KEYS[1]) == 0 then return 'UNKNOWN' end
local retired = (redis.call('HGET', KEYS[1], 'retired_ms') or '0') ~= '0'
if retired == (ARGV[1] ~= '0') then return 'SAME' end
redis.call('HSET', KEYS[1], 'retired_ms', ARGV[1])
redis.call('HDEL', KEYS[1], 'rated_ms')
return 'OK'
