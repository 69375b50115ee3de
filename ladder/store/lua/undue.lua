-- Forgets that something is due. KEYS: a list of what is. ARGV: what.
redis.call('ZREM', KEYS[1], ARGV[1])
return 'OK'
