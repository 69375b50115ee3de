-- A match of a deal group that is over waits for the other tables of its group.
-- KEYS: due, one of those, tournament, match, lost ones of the tournament that wait. ARGV: id.
-- Returns OK, or OVER where that table is over by now, or will never be played: then the match stays in `due`.
local state = redis.call('HGET', KEYS[2], 'state')
if state then
  if state ~= 'planned' and state ~= 'ready' and state ~= 'running' then return 'OVER' end
else
  local tournament = redis.call('HGET', KEYS[3], 'state')
  if tournament == 'cancelled' or tournament == 'finished' then return 'OVER' end
end
redis.call('ZREM', KEYS[1], 'rate:' .. ARGV[1])
-- one that is closed is open, too, and found there; one that is void or parked would be found nowhere
redis.call(redis.call('HGET', KEYS[4], 'state') == 'closed' and 'SREM' or 'SADD', KEYS[5], ARGV[1])
return 'OK'
