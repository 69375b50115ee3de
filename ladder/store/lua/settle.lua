-- A worker is done with a closed match. KEYS: match, states, due, open, tournament, its open, matches that wait for their luck, unarchived, its deals.
-- ARGV: id, seq, 1 if its luck is to be computed, seconds that its deals are remembered from now on.
-- with move
local match = KEYS[1]
local state = redis.call('HGET', match, 'state')
if state == 'closed' and redis.call('HGET', match, 'tournament') ~= '' then
  redis.call('HINCRBY', KEYS[5], 'done', 1) -- first: where the tournament cannot be counted in, nothing is done
end
redis.call('ZREM', KEYS[3], 'rate:' .. ARGV[1])
if state == 'rated' or state == 'archived' or state == 'trimmed' then return 'DUP' end
if state ~= 'closed' then return 'STATE' end
move(match, KEYS[2], 'rated')
redis.call('HSET', match, 'seq', ARGV[2])
redis.call('EXPIRE', KEYS[9], ARGV[4])
if ARGV[3] == '1' then redis.call('ZADD', KEYS[7], 'NX', redis.call('HGET', match, 'ended_ms'), ARGV[1]) end
redis.call('ZADD', KEYS[8], 'NX', redis.call('HGET', match, 'ended_ms'), ARGV[1])
redis.call('SREM', KEYS[4], ARGV[1])
if redis.call('HGET', match, 'tournament') ~= '' then
  redis.call('SREM', KEYS[6], ARGV[1])
end
return 'OK'
