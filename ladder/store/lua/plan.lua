-- Writes a match. KEYS: match, head, states, open, ready, index, tournament, open of the tournament, open tournaments, then indexes to add it to.
-- A tournament that ended while others of its matches are parked goes on with one that is played again.
-- ARGV: id, head, tournament or '', ready 1|0, not before, then fields and values.
-- with reopen
if redis.call('EXISTS', KEYS[1]) == 1 then return 'DUP' end
local ready = ARGV[4] == '1'
local again = string.find(ARGV[1], '%.r%d+$')
if ARGV[3] ~= '' then
  local state = redis.call('HGET', KEYS[7], 'state')
  local over = state == 'cancelled' or state == 'finished'
  if over and not (again and reopened(KEYS[7], KEYS[9], 'running')) then return 'OVER' end
  ready = ready and state ~= 'paused' -- nothing begins then; it is opened when the tournament goes on
end
local state = ready and 'ready' or 'planned'
local number = redis.call('HINCRBY', KEYS[3], '#planned', 1)
redis.call('HSET', KEYS[1], 'state', state, 'number', number, unpack(ARGV, 6))
redis.call('DEL', KEYS[2])
redis.call('SETNX', KEYS[2], ARGV[2]) -- not everybody who plans may write a head that is there
redis.call('HINCRBY', KEYS[3], state, 1)
redis.call('SADD', KEYS[4], ARGV[1])
if ready then redis.call('ZADD', KEYS[5], 'NX', ARGV[5], ARGV[1]) end
redis.call('ZADD', KEYS[6], number, ARGV[1])
for i = 10, #KEYS do redis.call('ZADD', KEYS[i], number, ARGV[1]) end
if ARGV[3] ~= '' then
  redis.call('SADD', KEYS[8], ARGV[1])
  redis.call('HINCRBY', KEYS[7], 'planned', 1)
  if again then redis.call('HINCRBY', KEYS[7], 'again', 1) end
end
return 'OK'
