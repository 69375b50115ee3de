-- Registers a bot with its first token. KEYS: bot, bots, skeletons, owner, token, request.
-- ARGV: name, skeleton, fingerprint, seconds to remember the request, most bots of an owner (0: any), key id, then as _token.lua wants, house 1|0, 1 if an operator vouches for the owner.
-- Returns OK | DUP | REUSED | TAKEN, name | LIMIT.
-- with token
local request = redis.call('GET', KEYS[6])
if request == ARGV[3] then return {'DUP'} end
if request then return {'REUSED'} end
local holder = redis.call('HGET', KEYS[3], ARGV[2])
if holder then return {'TAKEN', holder} end
if tonumber(ARGV[5]) > 0 and redis.call('SCARD', KEYS[4]) >= tonumber(ARGV[5]) then return {'LIMIT'} end
redis.call('HSET', KEYS[1], 'name', ARGV[1], 'owner', ARGV[8], 'created_ms', ARGV[10], 'house', ARGV[12], 'n', 0, 'tokens', ARGV[6])
if ARGV[13] == '1' then redis.call('HSET', KEYS[1], 'vouched', 1) end
redis.call('ZADD', KEYS[2], 0, ARGV[1])
redis.call('HSET', KEYS[3], ARGV[2], ARGV[1])
redis.call('SADD', KEYS[4], ARGV[1])
token(KEYS[5], ARGV[7], ARGV[1], ARGV[8], ARGV[9], ARGV[10], ARGV[11])
redis.call('SET', KEYS[6], ARGV[3], 'EX', ARGV[4])
return {'OK'}
