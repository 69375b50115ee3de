-- A match of a deal group that is over waits for the other tables of its group. KEYS: due, one of those, tournament. ARGV: id.
-- Returns OK, or OVER where that table is over by now, or will never be played: then the match stays in `due`.
local state = redis.call('HGET', KEYS[2], 'state')
if state then
  if state ~= 'planned' and state ~= 'ready' and state ~= 'running' then return 'OVER' end
else
  local tournament = redis.call('HGET', KEYS[3], 'state')
  if tournament == 'cancelled' or tournament == 'finished' then return 'OVER' end
end
redis.call('ZREM', KEYS[1], 'rate:' .. ARGV[1])
return 'OK'
