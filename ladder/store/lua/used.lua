-- Notes the day on which a token was last used. KEYS: token. ARGV: day.
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'used', ARGV[1]) end
return 'OK'
