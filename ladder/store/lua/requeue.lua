-- Puts a parked match back. KEYS: match, states, ready, due, open, tournament, its open, open tournaments, its matches to be played again,
-- what referees are to show.
-- ARGV: id, not before, 1 if others may know its deals: then it is void, and played again on other ones; why.
-- A tournament that ended with it goes on. Returns OK or SAME (it goes on already), and the state after it.
-- with move
-- with reopen
local match, id = KEYS[1], ARGV[1]
local state = redis.call('HGET', match, 'state')
if not state then return {'UNKNOWN'} end
if state == 'planned' or state == 'ready' or state == 'closed' then return {'SAME', state} end
if state == 'void' and redis.call('SISMEMBER', KEYS[9], id) == 1 then return {'SAME', state} end
if state ~= 'parked' then return {'STATE', state} end
local waits = false
local played = (redis.call('HGET', match, 'result') or '') ~= '' -- only a worker could not go on with it
if redis.call('HGET', match, 'tournament') ~= '' then
  local tournament = redis.call('HGET', KEYS[6], 'state')
  local over = tournament == 'cancelled' or tournament == 'finished'
  if over and not reopened(KEYS[6], KEYS[8], played and 'finishing' or 'running') and not played then return {'OVER', tournament} end
  waits = tournament == 'paused' -- nothing begins then; it is opened when the tournament goes on
  redis.call('HINCRBY', KEYS[6], 'parked', -1)
  if ARGV[3] == '1' and not played then
    move(match, KEYS[2], 'void')
    redis.call('HSET', match, 'reason', ARGV[4])
    redis.call('SADD', KEYS[9], id)
    redis.call('ZADD', KEYS[4], 'NX', ARGV[2], 'rate:' .. id)
    return {'OK', 'void'}
  end
  redis.call('SADD', KEYS[7], id)
  redis.call('HINCRBY', KEYS[6], 'lost', -1)
end
redis.call('HSET', match, 'reason', '', 'strikes', 0, 'releases', 0, 'claimed_ms', 0)
redis.call('SADD', KEYS[5], id)
if played then
  move(match, KEYS[2], 'closed')
  games(match, KEYS[6], tonumber(redis.call('HGET', match, 'games_lost')))
  redis.call('ZADD', KEYS[4], ARGV[2], 'rate:' .. id)
  redis.call('SADD', KEYS[10], 'm:' .. id) -- one that was parked before there was a list is on none
  return {'OK', 'closed'}
end
redis.call('HSET', match, 'ended_ms', 0)
if waits then
  move(match, KEYS[2], 'planned')
  return {'OK', 'planned'}
end
move(match, KEYS[2], 'ready')
redis.call('ZADD', KEYS[3], ARGV[2], id)
return {'OK', 'ready'}
