-- Orders that a match be void. KEYS: match, states, ready, due, open, tournament, its open.
-- ARGV: id, reason, order (JSON) for its host, now. Returns the state after it; the first order stands.
-- with move
local match = KEYS[1]
local state = redis.call('HGET', match, 'state')
if not state then return {'UNKNOWN'} end
if state == 'void' then return {'OK', state} end
if state == 'running' then
  if (redis.call('HGET', match, 'stop') or '') == '' then redis.call('HSET', match, 'stop', ARGV[3]) end
  return {'OK', state}
end
if state ~= 'planned' and state ~= 'ready' then return {'STATE', state} end
local k = {states = KEYS[2], ready = KEYS[3], due = KEYS[4], open = KEYS[5], tournament = KEYS[6], tournament_open = KEYS[7]}
lose(ARGV[1], match, k, 'void', ARGV[2], ARGV[4])
return {'OK', 'void'}
