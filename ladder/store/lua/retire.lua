-- Takes a bot out of play, or back into it. KEYS: bot. ARGV: since (ms), 0: plays.
if redis.call('EXISTS', KEYS[1]) == 0 then return 'UNKNOWN' end
redis.call('HSET', KEYS[1], 'retired_ms', ARGV[1])
return 'OK'
