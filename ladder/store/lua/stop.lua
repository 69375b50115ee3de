-- Orders that a match be void. KEYS: match, states, ready, due, open, tournament, its open.
-- ARGV: id, reason, order (JSON) for its host, now, claim that was judged or ''. Returns OK or SAME (nothing was left to do),
-- and the state after it; the first order stands, unless it was about a claim. An order about a claim ends that one and no other, and marks the match:
-- `late`, it is to be played again.
-- with move
local match = KEYS[1]
local state = redis.call('HGET', match, 'state')
if not state then return {'UNKNOWN'} end
if state == 'void' then return {'SAME', state} end
local judged = ARGV[5] ~= ''
if state == 'running' then
  local standing = redis.call('HGET', match, 'stop') or ''
  if standing ~= '' then
    local read, order = pcall(cjson.decode, standing)
    local same = read and type(order) == 'table' and order.who == cjson.decode(ARGV[3]).who
    if judged or same or redis.call('HGET', match, 'late') ~= '1' then return {'SAME', state} end
    redis.call('HSET', match, 'stop', ARGV[3]) -- who wants it void is stronger than its slowness, after which it would be played again
    redis.call('HDEL', match, 'late')
    return {'OK', state}
  end
  if judged and redis.call('HGET', match, 'claimed_ms') ~= ARGV[5] then return {'STATE', state} end
  redis.call('HSET', match, 'stop', ARGV[3])
  if judged then redis.call('HSET', match, 'late', 1) end
  return {'OK', state}
end
if judged then return {'STATE', state} end -- it waits for a host, or nobody has to be stopped any more
if state ~= 'planned' and state ~= 'ready' then return {'STATE', state} end
local k = {states = KEYS[2], ready = KEYS[3], due = KEYS[4], open = KEYS[5], tournament = KEYS[6], tournament_open = KEYS[7]}
lose(ARGV[1], match, k, 'void', ARGV[2], ARGV[4])
return {'OK', 'void'}
