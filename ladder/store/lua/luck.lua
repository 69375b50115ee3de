-- What chance gave in a match is known, or never will be. KEYS: luck of the match, matches that wait for it, match, tournament.
-- ARGV: id, text; '' = leave the match without.
redis.call('ZREM', KEYS[2], ARGV[1])
if ARGV[2] == '' then return 'OK' end
if redis.call('EXISTS', KEYS[1]) == 1 then return 'DUP' end
local state, tournament = unpack(redis.call('HMGET', KEYS[3], 'state', 'tournament'))
if state ~= 'rated' and state ~= 'archived' then return 'STATE' end
redis.call('SET', KEYS[1], ARGV[2])
if tournament ~= '' then redis.call('HINCRBY', KEYS[4], 'lucky', 1) end
return 'OK'
