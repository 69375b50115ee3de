-- Moves a match to another state and keeps the counts.
local function move(match, states, to)
  local from = redis.call('HGET', match, 'state')
  if from ~= to then
    redis.call('HINCRBY', states, from, -1)
    redis.call('HINCRBY', states, to, 1)
    redis.call('HSET', match, 'state', to)
  end
end
-- Counts something in a tournament. One whose count, or whose row, cannot be read costs no match its end: who cancels it counts anew.
-- Returns whether it could be counted.
local function counted_in(tournament, field, amount)
  return type(redis.pcall('HINCRBY', tournament, field, amount)) == 'number'
end
-- Counts the games that a match has finished so far; says so in its tournament, too.
local function games(match, tournament, done)
  local before = tonumber(redis.call('HGET', match, 'games_done') or '0')
  if done ~= before then
    redis.call('HSET', match, 'games_done', done)
    if redis.call('HGET', match, 'tournament') ~= '' then
      return counted_in(tournament, 'games_done', done - before)
    end
  end
end
-- Takes a match that does not count (void, parked) out of every list. In `due` a void one waits to be put away, and one of a deal group rings for the others.
local function lose(id, match, k, to, reason, now)
  redis.call('HSET', match, 'games_lost', redis.call('HGET', match, 'games_done') or '0')
  games(match, k.tournament, 0)
  move(match, k.states, to)
  redis.call('HSET', match, 'owner', '', 'reason', reason, 'ended_ms', now, 'stop', '')
  redis.call('ZREM', k.ready, id)
  redis.call('ZREM', k.due, 'rate:' .. id)
  redis.call('SREM', k.open, id)
  if redis.call('HGET', match, 'tournament') ~= '' then
    redis.call('SREM', k.tournament_open, id)
    counted_in(k.tournament, 'lost', 1)
    if to == 'parked' then counted_in(k.tournament, 'parked', 1) end
  end
  local group = redis.call('HGET', match, 'group') or ''
  if to == 'void' or (group ~= '' and group ~= id) then redis.call('ZADD', k.due, 'NX', now, 'rate:' .. id) end
end
-- Carries out an order that a match be void for which there is no host any more; returns whether there was one, which can be read.
local function obeyed(id, match, k, now)
  local read, order = pcall(cjson.decode, redis.call('HGET', match, 'stop') or '')
  if not read or type(order) ~= 'table' or type(order.reason) ~= 'string' then return false end
  lose(id, match, k, 'void', order.reason, now)
  return true
end
