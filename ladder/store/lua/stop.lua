-- Orders the end of a match. KEYS: match, states, ready, due, open, tournament, its open.
-- ARGV: id, void|parked, reason, order (JSON) for its host, now. Returns the state after it.
-- with move
local match = KEYS[1]
local state = redis.call('HGET', match, 'state')
if not state then return {'UNKNOWN'} end
if state == ARGV[2] then return {'OK', state} end
if state == 'running' then
  redis.call('HSET', match, 'stop', ARGV[4])
  return {'OK', state}
end
if state ~= 'planned' and state ~= 'ready' then return {'STATE', state} end
local k = {states = KEYS[2], ready = KEYS[3], due = KEYS[4], open = KEYS[5], tournament = KEYS[6], tournament_open = KEYS[7]}
lose(ARGV[1], match, k, ARGV[2], ARGV[3], ARGV[5])
return {'OK', ARGV[2]}
