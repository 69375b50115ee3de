-- The check value of the pepper: written by the first, returned to all. KEYS: pepper. ARGV: value.
redis.call('SET', KEYS[1], ARGV[1], 'NX')
return redis.call('GET', KEYS[1])
