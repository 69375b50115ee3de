-- Writes, to see whether that is possible. KEYS: a key of this process. ARGV: seconds to live.
redis.call('SET', KEYS[1], 1, 'EX', ARGV[1])
return 'OK'
