-- The log of a settled match is in the archive, too. KEYS: match, head, states, unarchived. ARGV: its head there, name of the object, id.
-- A void one stays void.
-- with move
local state, archive = unpack(redis.call('HMGET', KEYS[1], 'state', 'archive'))
if state == 'archived' or state == 'trimmed' or (state == 'void' and archive) then return 'DUP' end
if state ~= 'rated' and not (state == 'void' and redis.call('ZSCORE', KEYS[4], ARGV[3])) then return 'STATE' end
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 'HEAD' end
if state == 'rated' then move(KEYS[1], KEYS[3], 'archived') end
redis.call('HSET', KEYS[1], 'archive', ARGV[2], 'archived_head', ARGV[1])
return 'OK'
