-- Opens a planned match, or re-adds one that is ready or running. KEYS: match, states, ready, tournament. ARGV: id, not before.
-- with move
local state = redis.call('HGET', KEYS[1], 'state')
if state ~= 'planned' and state ~= 'ready' and state ~= 'running' then return 0 end
if state == 'planned' then
  if redis.call('HGET', KEYS[4], 'state') == 'paused' then return 0 end -- nothing begins then
  move(KEYS[1], KEYS[2], 'ready')
end
redis.call('ZADD', KEYS[3], 'NX', ARGV[2], ARGV[1])
return 1
