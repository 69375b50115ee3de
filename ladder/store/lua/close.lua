-- Ends a match with its last entry; one that was ordered to be void is not parked but void. KEYS: head, log, match, matches that I own, ready, states, due, open, tournament, its open,
-- seed, log and seed that are shown from then on, unless other tables have its deals.
-- ARGV: old head, new head, entry id, bytes, id, closed|void|parked, reason, result, digest, now, games done.
-- with fence
-- with move
-- with show
local said = append(KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3], ARGV[4])
if said ~= 'OK' then return said end
local id, match = ARGV[5], KEYS[3]
redis.call('SREM', KEYS[4], id)
if ARGV[6] ~= 'closed' then
  local k = {ready = KEYS[5], states = KEYS[6], due = KEYS[7], open = KEYS[8], tournament = KEYS[9], tournament_open = KEYS[10]}
  if ARGV[6] == 'parked' and obeyed(id, match, k, ARGV[10]) then return 'OK' end
  lose(id, match, k, ARGV[6], ARGV[7], ARGV[10])
  return 'OK'
end
games(match, KEYS[9], tonumber(ARGV[11]))
move(match, KEYS[6], 'closed')
redis.call('HSET', match, 'owner', '', 'result', ARGV[8], 'digest', ARGV[9], 'ended_ms', ARGV[10])
redis.call('ZREM', KEYS[5], id)
redis.call('ZADD', KEYS[7], 'NX', ARGV[10], 'rate:' .. id)
local group = redis.call('HGET', match, 'group') or ''
if group == '' or group == id then
  show(KEYS[2], KEYS[12])
  show(KEYS[11], KEYS[13])
  redis.call('HSET', match, 'shown', 1)
end
return 'OK'
