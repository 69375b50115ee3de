-- Somebody wants to see a match while it is played. KEYS: who watches it. ARGV: time to live (ms).
redis.call('SET', KEYS[1], 1, 'PX', ARGV[1])
return 'OK'
