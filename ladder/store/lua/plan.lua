-- Writes a match. KEYS: match, head, states, open, ready, index, tournament, open of the tournament, then indexes to add it to.
-- ARGV: id, head, tournament or '', ready 1|0, not before, then fields and values.
if redis.call('EXISTS', KEYS[1]) == 1 then return 'DUP' end
if ARGV[3] ~= '' then
  local state = redis.call('HGET', KEYS[7], 'state')
  if state == 'cancelled' or state == 'finished' then return 'OVER' end
end
local state = ARGV[4] == '1' and 'ready' or 'planned'
local number = redis.call('HINCRBY', KEYS[3], '#planned', 1)
redis.call('HSET', KEYS[1], 'state', state, 'number', number, unpack(ARGV, 6))
redis.call('SET', KEYS[2], ARGV[2])
redis.call('HINCRBY', KEYS[3], state, 1)
redis.call('SADD', KEYS[4], ARGV[1])
if ARGV[4] == '1' then redis.call('ZADD', KEYS[5], 'NX', ARGV[5], ARGV[1]) end
redis.call('ZADD', KEYS[6], number, ARGV[1])
for i = 9, #KEYS do redis.call('ZADD', KEYS[i], number, ARGV[1]) end
if ARGV[3] ~= '' then
  redis.call('SADD', KEYS[8], ARGV[1])
  redis.call('HINCRBY', KEYS[7], 'planned', 1)
end
return 'OK'
