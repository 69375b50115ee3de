-- Declares a match void that was played or parked. KEYS: match, states, ready, due, open, tournament, its open, voids of the ladder,
-- luck of the match, matches that wait for it, unarchived, ladders to compute anew, what the house scored on its cards, matches that wait for that. ARGV: id, format, reason, now, who wants it or '': the order that stands is carried out.
-- Returns OK or SAME (it was void), void, 1 if a ladder is to be computed anew.
-- with move
local id, match = ARGV[1], KEYS[1]
local state, tournament, rated, seq = unpack(redis.call('HMGET', match, 'state', 'tournament', 'rated', 'seq'))
if not state then return {'UNKNOWN'} end
if state == 'void' then return {'SAME', state, redis.call('ZSCORE', KEYS[12], ARGV[2]) and '1' or '0'} end
local counted = state == 'rated' or state == 'archived' or state == 'trimmed'
if not counted and state ~= 'closed' and state ~= 'parked' then return {'STATE', state} end
if ARGV[5] ~= '' then redis.call('HDEL', match, 'late') end -- it is void because somebody wants it, not for its slowness
if state == 'parked' then
  move(match, KEYS[2], 'void')
  redis.call('HSET', match, 'reason', ARGV[3])
  redis.call('ZADD', KEYS[4], 'NX', ARGV[4], 'rate:' .. id)
  if tournament ~= '' then redis.call('HINCRBY', KEYS[6], 'parked', -1) end
else
  if counted then redis.call('HSET', match, 'opened', 1) end -- nothing is applied before its group is over
  if counted and tournament ~= '' then redis.call('HINCRBY', KEYS[6], 'done', -1) end
  local k = {states = KEYS[2], ready = KEYS[3], due = KEYS[4], open = KEYS[5], tournament = KEYS[6], tournament_open = KEYS[7]}
  lose(id, match, k, 'void', ARGV[3], ARGV[4])
end
if redis.call('DEL', KEYS[9]) == 1 and tournament ~= '' then redis.call('HINCRBY', KEYS[6], 'lucky', -1) end
redis.call('ZREM', KEYS[10], id)
redis.call('ZREM', KEYS[11], id)
redis.call('DEL', KEYS[13])
redis.call('ZREM', KEYS[14], id)
-- whoever is about to apply it is stopped by the same list that the next generation leaves out
local played = (redis.call('HGET', match, 'result') or '') ~= ''
if rated ~= '1' or not played or (counted and (seq or '0') == '0') then return {'OK', 'void', '0'} end
redis.call('HSET', KEYS[8], id, ARGV[3])
redis.call('ZADD', KEYS[12], 'NX', ARGV[4], ARGV[2])
return {'OK', 'void', '1'}
