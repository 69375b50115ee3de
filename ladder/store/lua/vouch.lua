-- An operator says that the owner of a bot is no name that somebody wrote himself, or takes it back. KEYS: bot. ARGV: 1: it is so, 0: taken back.
-- Returns OK, SAME where it is so already, or UNKNOWN.
if redis.call('EXISTS', KEYS[1]) == 0 then return 'UNKNOWN' end
if (redis.call('HGET', KEYS[1], 'vouched') == '1') == (ARGV[1] == '1') then return 'SAME' end
redis.call('HSET', KEYS[1], 'vouched', ARGV[1])
return 'OK'
