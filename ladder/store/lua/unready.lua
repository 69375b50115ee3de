-- Takes a match back that waits for its seats. KEYS: match, states, ready. ARGV: id.
-- with move
local state = redis.call('HGET', KEYS[1], 'state')
if state ~= 'planned' and state ~= 'ready' then return 0 end
move(KEYS[1], KEYS[2], 'planned')
redis.call('ZREM', KEYS[3], ARGV[1])
return 1
