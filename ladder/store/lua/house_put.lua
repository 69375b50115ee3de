-- What the house scored on the cards of a match is known, or never will be. KEYS: it, matches that wait, match, tournament.
-- ARGV: id, text; '' = the match goes without, for good.
redis.call('ZREM', KEYS[2], ARGV[1])
if redis.call('EXISTS', KEYS[1]) == 1 then return 'DUP' end
local state, tournament = unpack(redis.call('HMGET', KEYS[3], 'state', 'tournament'))
if state ~= 'rated' and state ~= 'archived' and state ~= 'trimmed' then return 'STATE' end
redis.call('SET', KEYS[1], ARGV[2])
if tournament ~= '' and ARGV[2] ~= '' then redis.call('HINCRBY', KEYS[4], 'housed', 1) end
return 'OK'
