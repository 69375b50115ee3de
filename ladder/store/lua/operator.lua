-- Writes an operator's token. KEYS: token, operators. ARGV: key id, mac, who, scopes, created, expires.
-- with token
token(KEYS[1], ARGV[2], '', ARGV[3], ARGV[4], ARGV[5], ARGV[6])
redis.call('SADD', KEYS[2], ARGV[1])
return 'OK'
