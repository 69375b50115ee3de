-- The log of a settled match is in the archive, too. KEYS: match, head, states. ARGV: its head there, name of the object.
-- with move
local state = redis.call('HGET', KEYS[1], 'state')
if state == 'archived' or state == 'trimmed' then return 'DUP' end
if state ~= 'rated' then return 'STATE' end
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 'HEAD' end
move(KEYS[1], KEYS[3], 'archived')
redis.call('HSET', KEYS[1], 'archive', ARGV[2], 'archived_head', ARGV[1])
return 'OK'
