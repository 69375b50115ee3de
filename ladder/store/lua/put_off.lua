-- Lets what is due stand back for a while; what is not due stays so. KEYS: a list of what is due. ARGV: what, when.
redis.call('ZADD', KEYS[1], 'XX', ARGV[2], ARGV[1])
return 'OK'
